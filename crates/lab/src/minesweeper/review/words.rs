//! How a review is said: a word and numbers for programs, a sentence for people.

use outplay_core::{In, Language, Notation, Outcome, Seat, Text};
use outplay_games::minesweeper::{Action, Minesweeper, MinesweeperState};
use serde_json::{Map, Value, json};

use super::chances::Compared;
use super::{ActionVerdict, JudgedAction};
use crate::review::opinion::percent;
use crate::review::{MoveReview, Review};

/// A sentence in both languages, with what it names said in each.
macro_rules! sentence {
    ($english:literal | $french:literal; $($name:ident),+) => {
        Text {
            en: {
                $(let $name = In(Language::English, &$name);)+
                format!($english).into()
            },
            fr: {
                $(let $name = In(Language::French, &$name);)+
                format!($french).into()
            },
        }
    };
}

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
    fn words(&self, write: impl Fn(Action) -> String) -> Text {
        let risk = percent(self.risk.unwrap_or(0.0));
        let compared = self.compared.as_ref().map(|compared| {
            let (best, points) = (write(compared.best), points_lost(compared));
            let better = sentence!(
                "{best} wins {points} more often" | "{best} gagne {points} plus souvent"; best, points
            );
            (better, win_chance(compared))
        });
        match (self.kind, compared) {
            (ActionVerdict::Opening, _) => Text::new("drawn at random", "au hasard"),
            (ActionVerdict::Flag, _) => Text::new("a flag", "un drapeau"),
            (ActionVerdict::Unjudged, _) => Text::new(
                "the board is too entangled to judge",
                "le plateau est trop enchevêtré pour en juger",
            ),
            (ActionVerdict::Proven, _) => Text::new("proven safe", "prouvée vide"),
            (ActionVerdict::BestGuess, Some((_, chance))) => sentence!(
                "best guess: a mine with {risk}, wins {chance}"
                | "meilleur pari : une mine à {risk}, gagne {chance}";
                risk, chance
            ),
            (ActionVerdict::WorseGuess, Some((better, chance))) if self.risk == Some(0.0) => sentence!(
                "worse first cell: wins {chance}; {better}"
                | "moins bonne première case : gagne {chance} ; {better}";
                chance, better
            ),
            (ActionVerdict::WorseGuess, Some((better, chance))) => sentence!(
                "worse guess: a mine with {risk}, wins {chance}; {better}"
                | "moins bon pari : une mine à {risk}, gagne {chance} ; {better}";
                risk, chance, better
            ),
            (ActionVerdict::Blunder, compared) => self.blunder(&risk, compared.map(|(better, _)| better)),
            (ActionVerdict::BestGuess | ActionVerdict::WorseGuess, None) => {
                sentence!("a mine with {risk}" | "une mine à {risk}"; risk)
            }
        }
    }

    fn blunder(&self, risk: &Text, better: Option<Text>) -> Text {
        let blunder = match self.left_aside.map(|cell| cell.to_string()) {
            _ if self.risk == Some(1.0) => Text::new("blunder: a proven mine", "bévue : une mine prouvée"),
            Some(safe) => sentence!(
                "blunder: a mine with {risk}, and {safe} was certainly empty"
                | "bévue : une mine à {risk}, alors que {safe} était certainement vide";
                risk, safe
            ),
            None => Text::new("blunder", "bévue"),
        };
        match better {
            Some(better) => sentence!("{blunder}; {better}" | "{blunder} ; {better}"; blunder, better),
            None => blunder,
        }
    }

    fn facts(&self, write: impl Fn(Action) -> String) -> Map<String, Value> {
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
fn points_lost(compared: &Compared) -> Text {
    let [cost, low, high] = [compared.cost.value, compared.cost.interval.low, compared.cost.interval.high]
        .map(|share| 100.0 * share);
    if compared.samples == 0 {
        return sentence!("{cost:.1} points" | "{cost:.1} points"; cost);
    }
    sentence!(
        "{cost:.1} points (95%: {low:.1} to {high:.1})" | "{cost:.1} points (95 % : {low:.1} à {high:.1})";
        cost, low, high
    )
}

/// How often the move wins.
fn win_chance(compared: &Compared) -> Text {
    let chance = percent(compared.played.value);
    if compared.samples == 0 { chance } else { sentence!("about {chance}" | "environ {chance}"; chance) }
}

/// What the game came to: only a game that was lost on the board was lost by its last move.
fn conclude(judgements: &[JudgedAction], moves: &[MoveReview], end: Option<Outcome>) -> (&'static str, Text) {
    let Some((last, MoveReview { mv, words, .. })) = judgements.last().zip(moves.last()) else {
        return ("unjudged", Text::new("no move was played", "aucun coup n’a été joué"));
    };
    let is_lost = end == Some(Outcome::Win(Seat::Second));
    let (verdict, ending) = match last.kind {
        _ if end.is_none() => {
            ("unfinished", Text::new("the game was not finished", "la partie n’a pas été finie"))
        }
        _ if !is_lost => ("won", Text::new("won", "gagné")),
        ActionVerdict::BestGuess => {
            let risk = percent(last.risk.unwrap_or(0.0));
            let words = sentence!(
                "bad luck: {mv} was the best guess, and a mine with {risk}"
                | "malchance : {mv} était le meilleur pari, et une mine à {risk}";
                mv, risk
            );
            ("luck", words)
        }
        ActionVerdict::Opening => {
            let words =
                sentence!("bad luck: {mv} was drawn at random" | "malchance : {mv} était au hasard"; mv);
            return ("luck", words);
        }
        ActionVerdict::WorseGuess | ActionVerdict::Blunder => {
            let words = sentence!("a mistake: {mv} was a {words}" | "une erreur : {mv} — {words}"; mv, words);
            ("mistake", words)
        }
        ActionVerdict::Flag | ActionVerdict::Proven | ActionVerdict::Unjudged => {
            let words = sentence!(
                "whether {mv} was bad luck cannot be said" | "on ne peut dire si {mv} était de la malchance"; mv
            );
            ("unjudged", words)
        }
    };
    let earlier = if is_lost { &judgements[..judgements.len() - 1] } else { judgements };
    (verdict, with_mistakes(ending, earlier))
}

/// Adds how many mistakes there were, and what they cost.
fn with_mistakes(ending: Text, judgements: &[JudgedAction]) -> Text {
    let made: Vec<&JudgedAction> =
        judgements.iter().filter(|judgement| judgement.kind.is_mistake()).collect();
    let costs = made.iter().filter_map(|judgement| Some(judgement.compared.as_ref()?.cost.value));
    let cost = 100.0 * costs.sum::<f64>().max(0.0);
    match made.len() {
        0 => ending,
        1 => sentence!(
            "{ending}; 1 earlier mistake cost {cost:.1} points of winning"
            | "{ending} ; une erreur antérieure a coûté {cost:.1} points de chances";
            ending, cost
        ),
        several => sentence!(
            "{ending}; {several} earlier mistakes cost {cost:.1} points of winning"
            | "{ending} ; {several} erreurs antérieures ont coûté {cost:.1} points de chances";
            ending, several, cost
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::chances::Chance;
    use super::*;
    use outplay_arena::stats::Interval;
    use outplay_games::minesweeper::BoardCell;

    /// A guess on a1 that loses 12.5 points against b2, by samples.
    fn worse_guess() -> JudgedAction {
        let chance =
            |value: f64| Chance { value, interval: Interval { low: 0.5 * value, high: 2.0 * value } };
        let [played, best_chance, cost] = [0.25, 0.375, 0.125].map(chance);
        let best = Action::Unmask(BoardCell::new(1, 1));
        let compared = Compared { best, played, best_chance, cost, exploded: None, samples: 100 };
        let action = Action::Unmask(BoardCell::new(0, 0));
        JudgedAction {
            risk: Some(0.4),
            compared: Some(compared),
            ..JudgedAction::plain(ActionVerdict::WorseGuess, action)
        }
    }

    #[test]
    fn a_guess_is_judged_in_both_languages() {
        let words = worse_guess().words(|action| action.cell().to_string());
        let en = "worse guess: a mine with 40.0%, wins about 25.0%; b2 wins 12.5 points (95%: 6.2 to 25.0) more often";
        let fr = "moins bon pari : une mine à 40,0 %, gagne environ 25,0 % ; \
                  b2 gagne 12,5 points (95 % : 6,2 à 25,0) plus souvent";
        assert_eq!(words, Text::new(en, fr));
    }

    #[test]
    fn earlier_mistakes_are_counted_in_both_languages() {
        let won = |mistakes| {
            let judgements: Vec<JudgedAction> = (0..mistakes).map(|_| worse_guess()).collect();
            with_mistakes(Text::new("won", "gagné"), &judgements)
        };
        let one = "won; 1 earlier mistake cost 12.5 points of winning";
        assert_eq!(won(1), Text::new(one, "gagné ; une erreur antérieure a coûté 12,5 points de chances"));
        assert_eq!(won(2).fr, "gagné ; 2 erreurs antérieures ont coûté 25,0 points de chances");
        assert_eq!(won(0).en, "won");
    }
}
