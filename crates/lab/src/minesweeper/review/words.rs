//! How a review is said: a word and numbers for programs, a sentence for people.

use outplay_core::{Notation, Outcome, Seat};
use outplay_games::minesweeper::{Minesweeper, MinesweeperState};
use serde_json::{Map, Value, json};

use super::chances::Compared;
use super::{ActionVerdict, JudgedAction};
use crate::review::{MoveReview, Review};

/// The whole review.
pub(super) fn review(
    game: &Minesweeper,
    states: &[MinesweeperState],
    judgements: &[JudgedAction],
    end: Option<Outcome>,
) -> Review {
    let moves = judgements.iter().zip(states).map(|(judgement, state)| {
        let write = |action| game.write_move(state, action);
        MoveReview {
            mv: write(judgement.action),
            touches: Vec::new(),
            verdict: judgement.kind.word(),
            words: judgement.words(write),
            facts: judgement.facts(write),
        }
    });
    let moves: Vec<MoveReview> = moves.collect();
    let (verdict, words) = conclude(judgements, &moves, end);
    Review { moves, verdict, words }
}

impl ActionVerdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Flag => "flag",
            Self::Proven => "proven-safe",
            Self::BestGuess => "best-guess",
            Self::WorseGuess => "worse-guess",
            Self::Blunder => "blunder",
            Self::Unjudged => "unjudged",
        }
    }

    const fn is_mistake(self) -> bool {
        matches!(self, Self::WorseGuess | Self::Blunder)
    }
}

impl JudgedAction {
    fn words(&self, write: impl Fn(outplay_games::minesweeper::Action) -> String) -> String {
        let risk = percent(self.risk.unwrap_or(0.0));
        let better = self.compared.as_ref().map(|compared| {
            let better = format!("{} wins {} more often", write(compared.best), share(compared));
            let about = if compared.samples == 0 { "" } else { "about " };
            (better, format!("{about}{}", percent(compared.played.value)))
        });
        match (self.kind, better) {
            (ActionVerdict::Opening, _) => "drawn at random".to_owned(),
            (ActionVerdict::Flag, _) => "a flag".to_owned(),
            (ActionVerdict::Unjudged, _) => "the board is too entangled to judge".to_owned(),
            (ActionVerdict::Proven, _) => "proven safe".to_owned(),
            (ActionVerdict::BestGuess, Some((_, chance))) => {
                format!("best guess: a mine with {risk}, wins {chance}")
            }
            (ActionVerdict::WorseGuess, Some((better, chance))) if self.risk == Some(0.0) => {
                format!("worse first cell: wins {chance}; {better}")
            }
            (ActionVerdict::WorseGuess, Some((better, chance))) => {
                format!("worse guess: a mine with {risk}, wins {chance}; {better}")
            }
            (ActionVerdict::Blunder, better) => {
                let better = better.map_or_else(String::new, |(better, _)| format!("; {better}"));
                match self.left_aside {
                    _ if self.risk == Some(1.0) => format!("blunder: a proven mine{better}"),
                    Some(safe) => {
                        format!("blunder: a mine with {risk}, and {safe} was certainly empty{better}")
                    }
                    None => format!("blunder{better}"),
                }
            }
            (ActionVerdict::BestGuess | ActionVerdict::WorseGuess, None) => format!("a mine with {risk}"),
        }
    }

    fn facts(&self, write: impl Fn(outplay_games::minesweeper::Action) -> String) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("risk".into(), json!(self.risk));
        let Some(compared) = &self.compared else { return facts };
        let Compared { played, best_chance, cost, samples, .. } = compared;
        facts.insert("best".into(), json!(write(compared.best)));
        for (name, chance) in [("win_chance", played), ("best_win_chance", best_chance), ("cost", cost)] {
            facts.insert(name.into(), json!(chance.value));
            facts.insert(format!("{name}_low"), json!(chance.interval.low));
            facts.insert(format!("{name}_high"), json!(chance.interval.high));
        }
        facts.insert("samples".into(), json!(samples));
        facts.insert("exact".into(), json!(*samples == 0));
        facts
    }
}

/// What the move lost, with its interval.
fn share(compared: &Compared) -> String {
    let points = |share: f64| format!("{:.1}", 100.0 * share);
    let cost = compared.cost;
    if compared.samples == 0 {
        return format!("{} points", points(cost.value));
    }
    format!(
        "{} points (95%: {} to {})",
        points(cost.value),
        points(cost.interval.low),
        points(cost.interval.high)
    )
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// What the game came to: only a game that was lost on the board was lost by its last move.
fn conclude(
    judgements: &[JudgedAction],
    moves: &[MoveReview],
    end: Option<Outcome>,
) -> (&'static str, String) {
    let Some((last, played)) = judgements.last().zip(moves.last()) else {
        return ("unjudged", "no move was played".to_owned());
    };
    let is_lost = end == Some(Outcome::Win(Seat::Second));
    let mistakes = mistakes(if is_lost { &judgements[..judgements.len() - 1] } else { judgements });
    let mv = &played.mv;
    match last.kind {
        _ if end.is_none() => ("unfinished", format!("the game was not finished{mistakes}")),
        _ if !is_lost => ("won", format!("won{mistakes}")),
        ActionVerdict::BestGuess => {
            let risk = percent(last.risk.unwrap_or(0.0));
            ("luck", format!("bad luck: {mv} was the best guess, and a mine with {risk}{mistakes}"))
        }
        ActionVerdict::Opening => ("luck", format!("bad luck: {mv} was drawn at random")),
        ActionVerdict::WorseGuess | ActionVerdict::Blunder => {
            ("mistake", format!("a mistake: {mv} was a {}{mistakes}", played.words))
        }
        ActionVerdict::Flag | ActionVerdict::Proven | ActionVerdict::Unjudged => {
            ("unjudged", format!("whether {mv} was bad luck cannot be said{mistakes}"))
        }
    }
}

/// How many mistakes there were, and what they cost.
fn mistakes(judgements: &[JudgedAction]) -> String {
    let made: Vec<&JudgedAction> =
        judgements.iter().filter(|judgement| judgement.kind.is_mistake()).collect();
    let costs = made.iter().filter_map(|judgement| Some(judgement.compared.as_ref()?.cost.value));
    let cost = 100.0 * costs.sum::<f64>().max(0.0);
    match made.len() {
        0 => String::new(),
        1 => format!("; 1 earlier mistake cost {cost:.1} points of winning"),
        several => format!("; {several} earlier mistakes cost {cost:.1} points of winning"),
    }
}
