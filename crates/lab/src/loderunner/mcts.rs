//! Monte Carlo tree search over sampled guard policies: one tree for each policy that the guards may follow, and the action
//! that got most visits in all of them together.

use std::sync::Arc;
use std::time::Duration;

use outplay_core::{Candidate, Player, Seat, Text, Thought, Turn, View};
use outplay_games::loderunner::{
    GuardPolicy, LodeRunner, LodeRunnerView, RunnerAction, SampledWorld, WayEvaluator,
};
use outplay_players::{Budget, Mcts, Playout};

use crate::params;
use crate::registry::{PlayerDef, PlayerRequest};

params! {
    /// How much `mcts` simulates.
    struct SampledMctsParams {
        sims: u64 = 400, in 4..=1_000_000, "simulations a move, shared by the sampled policies" | "simulations par coup, partagées par les stratégies tirées";
        cut: u32 = 24, in 0..=1000, "turns after which a playout is judged" | "tours après lesquels une partie simulée est jugée";
    }
}

pub(super) fn player() -> PlayerDef<LodeRunner> {
    PlayerDef::new(
        "mcts",
        Text::new(
            "Monte Carlo tree search over sampled guard policies",
            "recherche arborescente Monte-Carlo sur des stratégies de gardes tirées au sort",
        ),
        SampledMctsParams::default(),
        |_: &PlayerRequest<'_, LodeRunner>, params: &SampledMctsParams| {
            let params = params.clone();
            Ok(Arc::new(move || Box::new(SampledMcts { params: params.clone() })))
        },
    )
}

/// The player `mcts`. Its trees are grown anew each turn.
struct SampledMcts {
    params: SampledMctsParams,
}

impl Player<LodeRunnerView> for SampledMcts {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &LodeRunnerView, turn: &mut Turn<'_, RunnerAction>) -> RunnerAction {
        let moves = view.moves();
        let (mut weights, mut values) = (vec![0.0; moves.len()], vec![0.0; moves.len()]);
        let worlds = GuardPolicy::ALL.len() as f64;
        for policy in GuardPolicy::ALL {
            let world = SampledWorld::new(view.clone(), policy, turn.rng.seed());
            let nodes = self.params.sims / GuardPolicy::ALL.len() as u64;
            let mut tree =
                Mcts::new(WayEvaluator::default(), Budget { nodes: Some(nodes), ..Budget::UNLIMITED })
                    .with_playout(Playout::RANDOM.cut(self.params.cut));
            let mut conclusion = None;
            let mut hear = |thought: Thought<RunnerAction>| conclusion = Some(thought);
            let stop = turn.stop_flag();
            let mut inner = Turn::new(turn.rng).watched(&mut hear);
            if let Some(stop) = stop {
                inner = inner.stoppable(stop);
            }
            tree.choose(&world, &mut inner);
            for candidate in conclusion.into_iter().flat_map(|thought| thought.candidates) {
                if let Some(place) = moves.iter().position(|&mv| mv == candidate.mv) {
                    weights[place] += candidate.weight / worlds;
                    values[place] += candidate.value / worlds;
                }
            }
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|&one, &two| weights[two].total_cmp(&weights[one]));
        turn.show(|| {
            let candidate = |&place: &usize| {
                Candidate::expected(moves[place], values[place], weights[place], vec![moves[place]])
            };
            let candidates = order.iter().map(candidate).collect();
            Thought { candidates, depth: 0, nodes: self.params.sims, elapsed: Duration::ZERO }
        });
        moves[order[0]]
    }
}
