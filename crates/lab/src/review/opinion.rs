//! The value of each move of an open game, as a player judges it.
//!
//! Invariants:
//! - every position is judged once, by a player in the seat of the side to move that has seen the side's game so far;
//! - a move costs what its side could expect with the best move, less what it can expect after this one, as the other
//!   side's player judges it; the player's own choice costs nothing, and no move costs less than nothing;
//! - a position in which the game is over is worth its result.

use outplay_core::{
    ForeignWords, MoveOf, Notation, Outcome, Player, Rng, Seat, Text, Thought, Turn, View, errors,
};
use outplay_runtime::WorkError;
use serde_json::{Map, Value, json};

use super::{Inquiry, MoveReview, Review};
use outplay_runtime::{Progress, Watch};

/// What a move was, by what it cost. The limits are those of lichess, where they are 0.1, 0.2 and 0.3 on a scale from a
/// certain loss, -1, to a certain win, 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveVerdict {
    Opening,
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

impl MoveVerdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    const fn text(self) -> Text {
        match self {
            Self::Opening => Text::new("drawn at random", "au hasard"),
            Self::Best => Text::new("best", "le meilleur coup"),
            Self::Good => Text::new("good", "bon"),
            Self::Inaccuracy => Text::new("inaccuracy", "imprécision"),
            Self::Mistake => Text::new("mistake", "erreur"),
            Self::Blunder => Text::new("blunder", "bévue"),
        }
    }

    const fn of_cost(cost: f64) -> Self {
        match cost {
            0.15.. => Self::Blunder,
            0.10.. => Self::Mistake,
            0.05.. => Self::Inaccuracy,
            _ => Self::Good,
        }
    }
}

/// What a player thinks of a position: the share of points that its side may expect, and the move that it would make, if
/// the game goes on.
struct PositionValue<M> {
    side: Seat,
    value: f64,
    best: Option<M>,
}

/// One move judged. Values are shares of points of the side that made it.
struct JudgedMove<M> {
    side: Seat,
    kind: MoveVerdict,
    mv: M,
    best: Option<M>,
    before: f64,
    after: f64,
}

/// The review of a game.
pub(crate) fn of<G: Notation>(
    game: &G,
    inquiry: &Inquiry<'_, G>,
    watch: Watch<'_>,
) -> Result<Review, WorkError> {
    let (states, moves) = (&inquiry.replay.states, &inquiry.replay.moves);
    let mut judges = Seat::BOTH.map(|seat| {
        let mut judge = (inquiry.player)();
        judge.new_game(seat);
        judge
    });
    let mut opinions = Vec::with_capacity(states.len());
    for (ply, state) in states.iter().enumerate().skip(inquiry.random_plies) {
        watch.show(Progress { task: "judging", done: ply as u64, total: moves.len() as u64, unit: "moves" });
        let judge = &mut *judges[game.view(state).seat().index()];
        let mut rng = Rng::stream(inquiry.seed, ply as u64);
        opinions.push(opinion(game, state, judge, &mut rng, watch)?);
    }
    let drawn = states.iter().zip(&moves[..inquiry.random_plies]).map(|(state, &mv)| {
        let side = game.view(state).seat();
        JudgedMove { side, kind: MoveVerdict::Opening, mv, best: None, before: 0.0, after: 0.0 }
    });
    let judged = opinions.windows(2).zip(&moves[inquiry.random_plies..]).map(|(around, &mv)| {
        let [before, after] = around else { unreachable!("windows of two") };
        JudgedMove::of(before, after, mv)
    });
    let judgements: Vec<JudgedMove<MoveOf<G>>> = drawn.chain(judged).collect();
    let end = states.last().and_then(|end| game.outcome(end));
    Ok(told(game, states, &judgements, end))
}

fn opinion<G: Notation>(
    game: &G,
    state: &G::State,
    judge: &mut dyn Player<G::View>,
    rng: &mut Rng,
    watch: Watch<'_>,
) -> Result<PositionValue<MoveOf<G>>, WorkError> {
    let side = game.view(state).seat();
    if let Some(outcome) = game.outcome(state) {
        return Ok(PositionValue { side, value: points(outcome, side), best: None });
    }
    let mut conclusion = None;
    let mut hear = |thought: Thought<MoveOf<G>>| conclusion = Some(thought);
    let mut turn = Turn::at(game, state, rng).stoppable(watch.stop_flag()).watched(&mut hear);
    let best = judge.choose(game.view(state), &mut turn);
    if let Some(reason) = turn.forfeited() {
        return Err(JudgeError::GaveUp { reason: ForeignWords::of(&reason) }.into());
    }
    if watch.is_stopped() {
        return Err(WorkError::Stopped);
    }
    let chosen = conclusion.iter().flat_map(|thought| &thought.candidates).find(|one| one.mv == best);
    let value = chosen.ok_or(JudgeError::NoOpinion)?;
    Ok(PositionValue { side, value: value.value, best: Some(best) })
}

/// The share of points that a seat has made.
fn points(outcome: Outcome, seat: Seat) -> f64 {
    match outcome {
        Outcome::Win(winner) => f64::from(u8::from(winner == seat)),
        Outcome::Draw => 0.5,
    }
}

impl<M: Copy + PartialEq> JudgedMove<M> {
    fn of(before: &PositionValue<M>, after: &PositionValue<M>, mv: M) -> Self {
        let seen = if after.side == before.side { after.value } else { 1.0 - after.value };
        let is_best = before.best == Some(mv);
        let kind = if is_best { MoveVerdict::Best } else { MoveVerdict::of_cost(before.value - seen) };
        let after = if is_best { before.value } else { seen.min(before.value) };
        Self { side: before.side, kind, mv, best: before.best, before: before.value, after }
    }
}

impl<M: Copy> JudgedMove<M> {
    fn cost(&self) -> f64 {
        self.before - self.after
    }

    fn words(&self, write: impl Fn(M) -> String) -> Text {
        let kind = self.kind.text();
        let best = match (self.kind, self.best) {
            (MoveVerdict::Opening | MoveVerdict::Best, _) | (_, None) => return kind,
            (_, Some(best)) => write(best),
        };
        let (after, before) = (percent(self.after), percent(self.before));
        Text {
            en: format!("{}: {} of the points, {} with {best}", kind.en, after.en, before.en).into(),
            fr: format!("{} : {} des points, {} avec {best}", kind.fr, after.fr, before.fr).into(),
        }
    }

    fn facts(&self, write: impl Fn(M) -> String) -> Map<String, Value> {
        let mut facts = Map::new();
        if let Some(best) = self.best {
            facts.insert("best".to_owned(), write(best).into());
            facts.insert("best_value".to_owned(), json!(self.before));
            facts.insert("value".to_owned(), json!(self.after));
            facts.insert("cost".to_owned(), json!(self.cost()));
        }
        facts
    }
}

errors! {
    /// Why a player cannot judge a position.
    pub enum JudgeError {
        GaveUp { reason: ForeignWords } = "the player gives up: {reason}" | "le joueur abandonne : {reason}",
        NoOpinion =
            "the player says nothing of what it expects: expected one that judges moves"
            | "le joueur ne dit rien de ce qu’il attend : attendu un joueur qui juge les coups",
    }
}

/// A share as people write it: `40.0%`, and in French `40,0 %`.
pub(crate) fn percent(share: f64) -> Text {
    // The sum of no shares is -0.
    let number = format!("{:.1}", 100.0 * share + 0.0);
    Text { fr: format!("{} %", number.replace('.', ",")).into(), en: format!("{number}%").into() }
}

/// The whole review in words and numbers.
fn told<G: Notation>(
    game: &G,
    states: &[G::State],
    judgements: &[JudgedMove<MoveOf<G>>],
    end: Option<Outcome>,
) -> Review {
    let moves = judgements.iter().zip(states).map(|(judgement, state)| {
        let write = |mv| game.write_move(state, mv);
        MoveReview {
            mv: write(judgement.mv),
            touches: Vec::new(),
            verdict: judgement.kind.word(),
            words: judgement.words(write),
            facts: judgement.facts(write),
        }
    });
    let verdict = match end {
        Some(Outcome::Win(Seat::First)) => "first",
        Some(Outcome::Win(Seat::Second)) => "second",
        Some(Outcome::Draw) => "draw",
        None => "unfinished",
    };
    let sides = Seat::BOTH.into_iter().take(game.seats());
    let sides: Vec<Text> =
        sides.map(|side| summary(&game.seat_names()[side.index()], side, judgements)).collect();
    let join = |between: &str, of: fn(&Text) -> &str| sides.iter().map(of).collect::<Vec<_>>().join(between);
    let words = Text { en: join("; ", |side| &side.en).into(), fr: join(" ; ", |side| &side.fr).into() };
    Review { moves: moves.collect(), verdict, words }
}

/// What one side lost, and how.
fn summary<M: Copy>(name: &Text, side: Seat, judgements: &[JudgedMove<M>]) -> Text {
    let own =
        || judgements.iter().filter(|judged| judged.side == side && judged.kind != MoveVerdict::Opening);
    let count = |kind| own().filter(|judged| judged.kind == kind).count();
    let lost = own().map(JudgedMove::cost).sum::<f64>() / own().count().max(1) as f64;
    let [inaccuracies, mistakes, blunders] =
        [MoveVerdict::Inaccuracy, MoveVerdict::Mistake, MoveVerdict::Blunder].map(count);
    let (Text { en, fr }, lost) = (name, percent(lost));
    Text {
        en: format!(
            "{en} lost {} of the points a move (inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders})",
            lost.en
        )
        .into(),
        fr: format!(
            "par coup, {fr} : {} des points perdus (imprécisions {inaccuracies}, erreurs {mistakes}, bévues {blunders})",
            lost.fr
        )
        .into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::open_game;
    use crate::review::ReviewPlan;
    use crate::store::Store;
    use outplay_arena::record::GameTranscript;

    fn review(game: &str, moves: &str, player: &str, watch: Watch<'_>) -> Result<Review, WorkError> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let told = GameTranscript {
            game: game.to_owned(),
            players: vec!["a".to_owned(), "b".to_owned()],
            setup: 0,
            position: None,
            random_plies: 1,
            moves,
        };
        let folder = tempfile::tempdir().unwrap();
        let board = open_game(game, &Arc::new(Store::at(folder.path()))).unwrap();
        board.review(&told, &ReviewPlan { player, samples: 2, seed: 0 }, watch)
    }

    const FOOLS_MATE: &str = "f3 e5 g4 Qh4#";

    #[test]
    fn a_blunder_is_told_from_the_best_move() {
        let review = review("chess", FOOLS_MATE, "engine:nodes=3000", Watch::nobody()).unwrap();
        let verdicts: Vec<&str> = review.moves.iter().map(|mv| mv.verdict).collect();
        assert_eq!((verdicts[0], verdicts[2], verdicts[3]), ("opening", "blunder", "best"));
        assert_eq!(review.moves[2].facts["value"], 0.0);
        assert!(review.moves[2].facts["cost"].as_f64().unwrap() > 0.15);
        assert_eq!(review.verdict, "second");
        let told = "(inaccuracies 0, mistakes 0, blunders 1); black lost";
        assert!(review.words.en.contains(told), "{}", review.words);
    }

    #[test]
    fn a_game_of_one_player_tells_of_that_player_only() {
        let review =
            review("loderunner:level=walk", "right right right", "planner", Watch::nobody()).unwrap();
        let words = &review.words.en;
        assert!(words.starts_with("runner lost 0.0%") && !words.contains("guards"), "{words}");
    }

    /// Where every position is known, a move costs all or nothing, but for draws.
    #[test]
    fn perfect_play_is_the_measure_where_there_is_one() {
        let review = review("quoridor:size=3,walls=0", "a1 c3 a2 c2 a3", "perfect", Watch::nobody()).unwrap();
        let cost = |ply: usize| review.moves[ply].facts["cost"].as_f64().unwrap();
        assert_eq!(
            [1, 2, 3, 4].map(cost),
            [1.0, 0.0, 0.0, 0.0],
            "black was first by a step and stepped aside"
        );
        assert_eq!(review.verdict, "first");
    }

    #[test]
    fn a_stop_is_obeyed() {
        let stop = AtomicBool::new(true);
        let stopped = review("chess", FOOLS_MATE, "engine:nodes=3000", Watch::new(&stop, &|_| {}));
        assert!(matches!(stopped, Err(WorkError::Stopped)), "{stopped:?}");
    }
}
