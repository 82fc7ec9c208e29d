//! The speeds of chess, for `outplay bench`.

use outplay_core::{Evaluator, Player, Referee, Rng, Turn};
use outplay_games::chess::dataset::ClassBounds;
use outplay_games::chess::{Chess, MaterialEvaluator};
use outplay_players::{AlphaBeta, Budget};
use outplay_runtime::WorkError;

use super::learning::CachedJudge;
use super::learning::division::{DividedSet, Division, Labels, shipped};
use super::learning::neighbours::{KnownExamples, Sees};
use super::learning::network::Classifier;
use crate::bench::{
    Measurement, alphabeta_nodes, perft_leaves, random_games, random_playouts, rate, sample_positions,
    seconds, simulations,
};

/// Random games are cut off here, should they never end.
const LONGEST: u32 = 1000;

/// Everything that is measured.
pub(super) fn measure(game: &Referee<Chess>) -> Result<Vec<Measurement>, WorkError> {
    let start = &game.start;
    let name = |what: &str| format!("chess: {what}");
    let positions = sample_positions(start, 16, 12);
    let (nodes, signature) = alphabeta_nodes(&positions, MaterialEvaluator::default(), 4);
    let divided =
        DividedSet::divide(&shipped()?, &Division::nothing_kept(ClassBounds::default(), Labels::Mover), 0)?;
    let net = CachedJudge::new(Classifier::shipped()?);
    let near = |sees| CachedJudge::new(KnownExamples::new(&divided.training, sees, 9));
    let mut all = vec![
        Measurement::new(name("random games"), random_games(start, LONGEST), "games/s"),
        Measurement::new(name("random playouts"), random_playouts(start, LONGEST), "moves/s"),
        Measurement::new(name("perft"), perft_leaves(start, 5), "leaves/s"),
        Measurement::new(name("MCTS from the start"), simulations(start, Some(LONGEST)), "simulations/s"),
        Measurement::new(name("alpha-beta by material, depth 4"), nodes, "nodes/s"),
        Measurement::new(name("alpha-beta signature"), signature as f64, "nodes"),
    ];
    all.extend(judgement("material", &MaterialEvaluator::default(), &positions));
    all.extend(judgement("net", &net, &positions));
    all.extend(judgement("knn, the document's numbers", &near(Sees::Document), &positions));
    all.extend(judgement("knn", &near(Sees::Oriented), &positions));
    Ok(all)
}

/// What one judgement takes, alone and inside the document's search.
fn judgement<E: Evaluator<Chess> + Clone>(name: &str, judge: &E, positions: &[Chess]) -> [Measurement; 2] {
    // A judge that remembers is asked for positions that it has not seen.
    let fresh = sample_positions(&Chess::start(), 60_000, 30);
    let mut next = fresh.iter().cycle();
    let mut asked = judge.clone();
    let judgements = rate(|_| {
        std::hint::black_box(next.next().map(|position| asked.score(position)));
        1
    });
    let move_takes = seconds(|round| {
        let mut player = AlphaBeta::new(judge.clone(), Budget::depth(3));
        player.choose(&positions[round % positions.len()], &mut Turn::new(&mut Rng::new(1)));
    });
    [
        Measurement::new(format!("chess: judgements by {name}"), judgements, "positions/s"),
        Measurement::new(format!("chess: a move at depth 3 over {name}"), move_takes, "s"),
    ]
}
