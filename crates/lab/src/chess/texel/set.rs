//! A set of positions that an engine judged, as examples.
//!
//! Another engine's hundredths of a pawn need not be ours, so its scores are stretched until they agree best with
//! the weights set by hand: a fit moves the weights against each other and leaves their scale, on which searches rely.

use outplay_runtime::WorkError;
use std::path::Path;

use outplay_core::{Seat, View};
use outplay_games::chess::Chess;
use outplay_games::chess::classic::{ClassicWeights, EvalTrace};
use outplay_games::chess::dataset::{GameExamples, MATE, PackedExample as Judged};
use outplay_games::chess::engine::is_quiet;
use outplay_games::chess::pgn::PgnResult;
use rayon::prelude::*;

use super::{LOG_ODDS, TexelError, TexelExample};
use crate::chess::data;

/// A quiet position of a game, and white's score there in the engine's hundredths of a pawn.
struct ScoredPosition {
    game: u64,
    position: Chess,
    score: f32,
}

/// The quiet positions of a set.
pub(super) fn read(path: &Path) -> Result<Vec<TexelExample>, WorkError> {
    let lessons = data::open(path)?;
    let verdicts: Vec<ScoredPosition> =
        lessons.par_iter().enumerate().flat_map_iter(verdicts).collect::<Result<_, TexelError>>()?;
    let stretch = stretch(&verdicts);
    let example = |ScoredPosition { game, position, score }| {
        let expected = chance(stretch * score);
        let points = match lessons[game as usize].result {
            PgnResult::Finished(outcome) => outcome.points(Seat::First) as f32,
            PgnResult::Open => expected,
        };
        TexelExample { game, position, points, expected }
    };
    Ok(verdicts.into_iter().map(example).collect())
}

/// Those of one game.
fn verdicts(
    (game, config): (usize, &GameExamples),
) -> impl Iterator<Item = Result<ScoredPosition, TexelError>> {
    config.examples.iter().filter_map(move |judged| verdict(judged, game as u64).transpose())
}

/// The score of a position, if it is quiet and not a mate score.
fn verdict(judged: &Judged, game: u64) -> Result<Option<ScoredPosition>, TexelError> {
    let position = judged.position().ok_or(TexelError::IllegalPosition { game: game + 1 })?;
    let decided = judged.score().abs() >= MATE;
    let score = if position.seat() == Seat::First { -judged.score() } else { judged.score() };
    Ok((!decided && is_quiet(&position)).then_some(ScoredPosition {
        game,
        position,
        score: f32::from(score),
    }))
}

/// White's chance at a score in hundredths of a pawn.
fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-LOG_ODDS * score).exp())
}

/// How many of our hundredths of a pawn one of the engine's is, to one in a hundred: with this the weights set by hand
/// predict its chances with least squares, so that a better prediction need not shrink or stretch all of them.
fn stretch(verdicts: &[ScoredPosition]) -> f32 {
    let by_hand = ClassicWeights::default();
    let ours = |verdict: &ScoredPosition| EvalTrace::of(&verdict.position, &by_hand).white_score(&by_hand);
    let pairs: Vec<(f32, f32)> =
        verdicts.par_iter().map(|verdict| (ours(verdict), chance(verdict.score))).collect();
    let error = |stretch: f32| -> f64 {
        pairs.iter().map(|&(ours, theirs)| f64::from((chance(ours / stretch) - theirs).powi(2))).sum()
    };
    let stretches = (20..300).map(|hundredths| hundredths as f32 / 100.0);
    stretches.min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_stretched_to_our_scale() {
        let by_hand = ClassicWeights::default();
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
            "rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/pppp4/8/8/8/8/PPP5/4K3 b - - 0 1",
        ];
        let verdict = |fen: &str| {
            let position = Chess::from_fen(fen).unwrap();
            let ours = EvalTrace::of(&position, &by_hand).white_score(&by_hand);
            assert!(ours.abs() > 20.0, "{fen}: {ours}");
            ScoredPosition { game: 0, position, score: ours / 1.37 }
        };
        let verdicts: Vec<ScoredPosition> = fens.into_iter().map(verdict).collect();
        assert!((stretch(&verdicts) - 1.37).abs() < 0.006);
    }

    #[test]
    fn a_score_is_of_the_side_that_has_moved() {
        let black_to_move = Chess::from_fen("4k3/8/8/8/8/8/PPP5/4K3 b - - 0 1").unwrap();
        let judged = Judged::new(&black_to_move, 300).unwrap();
        assert_eq!(verdict(&judged, 0).unwrap().unwrap().score, 300.0);
        let in_check = Chess::from_fen("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1").unwrap();
        assert!(verdict(&Judged::new(&in_check, 900).unwrap(), 0).unwrap().is_none());
        assert!(verdict(&Judged::new(&black_to_move, MATE).unwrap(), 0).unwrap().is_none());
    }
}
