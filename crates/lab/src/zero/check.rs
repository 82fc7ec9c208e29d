//! How good a network is: a match against the one of the former check, and exams from the exact solution where there is one.
//!
//! Invariant: a check depends on the training's seed and the games learnt from, never on the threads.

use outplay_arena::matches::{Contestant, MatchPlan, MatchSummary, run_match};
use outplay_arena::stats::{Sprt, elo_from_score};
use outplay_core::{Referee, Rng};
use outplay_players::Puct;
use outplay_runtime::{Watch, WorkError};
use serde_json::{Value, json};

use super::network::{ZeroNetwork, ZeroSearchParams};
use crate::exactness::Exam;
use crate::learning::SelfPlayGame;
use crate::params;
use crate::registry::Measure;
use crate::store::Store;

params! {
    /// How a network is checked, and when it takes over the games.
    pub(super) struct CheckParams {
        every: u64 = 2000, in 1..=1_000_000_000, "games between two checks" | "parties entre deux contrôles";
        games as "check": u64 = 100, in 0..=1_000_000,
            "games of each check against the network of the former one, colours alternating"
            | "parties de chaque contrôle contre le réseau du précédent, couleurs alternées";
        openings as "check-random": u32 = 4, in 0..=1000,
            "random moves at the beginning of these games" | "coups au hasard au début de ces parties";
        problems as "exam": u64 = 0, in 0..=1_000_000,
            "positions in which each check counts the moves that keep the exact value (needs a board that can be solved)"
            | "positions où chaque contrôle compte les coups qui gardent la valeur exacte (demande un plateau résoluble)";
        simulations as "check-sims": u64 = 200, in 1..=1_000_000,
            "simulations per move in checks; the exam is also taken by the network alone"
            | "simulations par coup lors des contrôles ; l’examen est aussi passé par le réseau seul";
        gate: u64 = 0, in 0..=1_000_000,
            "games, at most, in which a new network must prove stronger than the one that plays before it takes over; 0: it takes over at once"
            | "parties, au plus, où un nouveau réseau doit se montrer plus fort que celui qui joue avant de le remplacer ; 0 : il le remplace aussitôt";
    }
}

/// The measures of a last check: the exam, if there was one, or the rating by the matches.
pub(super) const MEASURES: &[Measure] = &[
    Measure::higher("exam", "/exam/share"),
    Measure::higher("network", "/network_exam/share"),
    Measure::higher("elo", "/elo"),
];

/// The seed of the exam: all trainings of a game have the same one.
const EXAM_SEED: u64 = 0;
/// A new network takes over if it is more likely this many Elo stronger than as strong.
const GATE_ELO: f64 = 20.0;

/// How networks of a training are checked.
pub(super) struct Check<P: SelfPlayGame> {
    game: Referee<P>,
    params: CheckParams,
    puct: Puct,
    seed: u64,
    exam: Option<Exam<P>>,
}

impl<P: SelfPlayGame> Check<P> {
    /// The exam, if one is wanted, is set here, which may take the solving of the board.
    pub(super) fn new(
        game: &Referee<P>,
        params: &CheckParams,
        puct: Puct,
        seed: u64,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Self, WorkError> {
        let exam = match params.problems {
            0 => None,
            problems => Some(Exam::set(game, &game.start.oracle(store, watch)?, problems, EXAM_SEED)),
        };
        Ok(Self { game: game.clone(), params: params.clone(), puct, seed, exam })
    }

    /// Whether a check is due after a step from so many games to so many.
    pub(super) const fn is_due(&self, before: u64, now: u64) -> bool {
        before / self.params.every != now / self.params.every
    }

    /// Checks a network that has learnt from so many games: puts its results into the record, and returns by how many Elo it is
    /// stronger than the former one, as far as the match can tell.
    pub(super) fn record(
        &self,
        [network, former]: [&ZeroNetwork<P>; 2],
        learnt: u64,
        record: &mut Value,
        watch: Watch<'_>,
    ) -> Result<f64, WorkError> {
        let seed = Rng::stream(!self.seed, learnt).seed();
        if let Some(exam) = &self.exam {
            for (name, simulations) in [("exam", self.params.simulations), ("network_exam", 1)] {
                let player = network.clone().factory(ZeroSearchParams::simulations(simulations, self.puct));
                record[name] = exam.take(&player, seed, watch)?.record();
            }
        }
        if self.params.games == 0 {
            return Ok(0.0);
        }
        let summary = self.play([network, former], self.params.games, None, seed, watch)?;
        record["check"] = json!({
            "games": summary.games, "wins": summary.tally.wins, "draws": summary.tally.draws,
            "losses": summary.tally.losses, "score": summary.score, "score_low": summary.score_low,
            "score_high": summary.score_high,
        });
        // All points are worth as many Elo as all but half of one.
        let least = 0.5 / summary.games as f64;
        let score = summary.score.unwrap_or(0.5).clamp(least, 1.0 - least);
        Ok(elo_from_score(score).unwrap_or_default())
    }

    /// Whether a new network takes over from the one that plays.
    pub(super) fn takes_over(
        &self,
        networks: [&ZeroNetwork<P>; 2],
        learnt: u64,
        watch: Watch<'_>,
    ) -> Result<bool, WorkError> {
        if self.params.gate == 0 {
            return Ok(true);
        }
        let seed = Rng::stream(!self.seed, !learnt).seed();
        let test = Sprt::new(0.0, GATE_ELO).expect("0 is less");
        let summary = self.play(networks, self.params.gate, Some(test), seed, watch)?;
        Ok(summary.score.is_some_and(|score| score > 0.5))
    }

    fn play(
        &self,
        networks: [&ZeroNetwork<P>; 2],
        games: u64,
        sprt: Option<Sprt>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<MatchSummary, WorkError> {
        let search = ZeroSearchParams::simulations(self.params.simulations, self.puct);
        let players = networks.map(|network| network.clone().factory(search));
        let [network, former] = &players;
        let contestants = [
            Contestant { name: "network", make: &**network },
            Contestant { name: "former", make: &**former },
        ];
        let plan = MatchPlan {
            games,
            seed,
            random_plies: self.params.openings,
            threads: Some(rayon::current_num_threads()),
            sprt,
            ..MatchPlan::default()
        };
        let summary = run_match(&self.game, &contestants, &plan, &mut |_| {}, watch.stop_flag())?.summary();
        if summary.interrupted { Err(WorkError::Stopped) } else { Ok(summary) }
    }
}
