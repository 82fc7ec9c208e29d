//! Games of a network against itself, and what can be learnt from each of their positions.

use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Outcome, Position, Referee, Rng, Seat, SeatEncoder, Turn};

use super::policy_value::PolicyValue;
use super::root::{RootExploration, RootResult, search_root};
use super::search::{ZeroSearch, ZeroWorker};
use super::{CAPACITY, Puct, draw};
use crate::budget::{Budget, Clock};
use crate::terminal::TerminalRules;

/// How games of self-play are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZeroSelfPlayConfig {
    /// How children are chosen in the tree.
    pub puct: Puct,
    /// How moves are tried at the root.
    pub exploration: RootExploration,
    /// Simulations of a full search, from whose policy is learnt.
    pub simulations: u32,
    /// Simulations of the other searches, which are quick and without noise.
    pub quick_simulations: u32,
    /// The share of moves that get a full search.
    pub full_share: f64,
    /// The plies at the beginning whose moves are drawn by the improved policy; later ones are the best by the search.
    pub drawn_plies: usize,
    /// A side that can expect fewer points than this at its move gives up; 0 never does.
    pub resignation: f64,
    /// Whether a game ends as soon as a search has proven its result.
    pub adjudication: bool,
    /// Games begin with up to so many random moves, from which nothing is learnt.
    pub random_plies: usize,
}

/// A game, position by position.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroGame {
    /// What can be learnt from each.
    pub positions: Vec<ZeroPosition>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether a side gave it up.
    pub is_resigned: bool,
    /// In a game in which nobody may give up, the side that would have done so first, if one would.
    pub would_resign: Option<Seat>,
}

/// A position of a game, as the side to move sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroPosition {
    /// The side to move.
    pub seat: Seat,
    /// The inputs that are on, computed ones included.
    pub on: Vec<u32>,
    /// The slots of the legal moves.
    pub slots: Vec<u16>,
    /// How probable each of them is by the improved policy.
    pub policy: Vec<f32>,
    /// Whether that comes from a full search.
    pub is_full: bool,
    /// The points that the search expects.
    pub points: f32,
}

/// Plays games to learn from.
#[derive(Clone, Debug)]
pub struct ZeroSelfPlay<P: Position, V, E> {
    config: ZeroSelfPlayConfig,
    worker: ZeroWorker<P, V>,
    encoder: E,
}

/// What a search of a position led to.
struct Choice<M> {
    mv: M,
    /// The points that the side to move can expect.
    points: f64,
    /// The result of the game, if the search has proven it.
    proven: Option<Outcome>,
}

/// The share of games that are played to their end where sides may give up, to see whether they are right.
const PLAYED_TO_THE_END: f64 = 0.1;

impl<P: Position, V: PolicyValue<P>, E: SeatEncoder<P>> ZeroSelfPlay<P, V, E> {
    /// Self-play of this network, whose positions are recorded as this encoder shows them.
    pub fn new(config: ZeroSelfPlayConfig, network: V, encoder: E) -> Self {
        Self { config, worker: ZeroWorker::new(network, CAPACITY), encoder }
    }

    /// Plays one game; `None` if it was stopped.
    pub fn play(&mut self, game: &Referee<P>, rng: &mut Rng, stop: &AtomicBool) -> Option<ZeroGame> {
        let mut state = opening(game, self.config.random_plies, rng);
        let mut positions = Vec::new();
        let resigns = self.config.resignation > 0.0 && rng.unit() >= PLAYED_TO_THE_END;
        let mut would_resign = None;
        loop {
            if let Some(outcome) = game.outcome(&state) {
                return Some(ZeroGame { positions, outcome, is_resigned: false, would_resign });
            }
            let (position, choice) = self.choose(game, &state, rng, stop)?;
            let seat = position.seat;
            positions.push(position);
            if self.config.adjudication
                && let Some(outcome) = choice.proven
            {
                return Some(ZeroGame { positions, outcome, is_resigned: false, would_resign });
            }
            if choice.points < self.config.resignation {
                if resigns {
                    let outcome = Outcome::Win(!seat);
                    return Some(ZeroGame { positions, outcome, is_resigned: true, would_resign });
                }
                would_resign.get_or_insert(seat);
            }
            game.play(&mut state, choice.mv);
        }
    }

    /// Searches the position of a game, and chooses a move.
    fn choose(
        &mut self,
        game: &Referee<P>,
        state: &<Referee<P> as Game>::State,
        rng: &mut Rng,
        stop: &AtomicBool,
    ) -> Option<(ZeroPosition, Choice<P::Move>)> {
        let config = self.config;
        let view = game.view(state);
        let is_full = config.full_share >= 1.0 || rng.unit() < config.full_share;
        let simulations = if is_full { config.simulations } else { config.quick_simulations };
        let rules = TerminalRules::new(&Turn::<P::Move>::at(game, state, &mut rng.clone()));
        let clock = Clock::start(&Budget::UNLIMITED, Some(stop));
        self.worker.tree.clear();
        let mut search = ZeroSearch::new(&mut self.worker, view, config.puct, rules, clock);
        let result = search_root(&mut search, config.exploration, simulations, is_full.then_some(&mut *rng));
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return None;
        }
        let is_drawn = state.past.len() < config.drawn_plies && !result.is_proven;
        let weighed = result.policy.iter().map(|&(mv, share)| (mv, f64::from(share)));
        let drawn = if is_drawn { draw(weighed, rng) } else { None };
        let mv = drawn.unwrap_or(result.best);
        let seat = view.seat();
        let winner = if result.points > 0.5 { seat } else { !seat };
        let proven = result.is_proven.then_some(Outcome::Win(winner));
        Some((self.record(view, &result, is_full), Choice { mv, points: result.points, proven }))
    }

    fn record(&self, view: &P, result: &RootResult<P::Move>, is_full: bool) -> ZeroPosition {
        let seat = view.seat();
        let mut on = Vec::new();
        self.encoder.each_on(view, seat, |input| on.push(input));
        self.encoder.each_computed(view, |input| on.push(input));
        let (slots, policy) =
            result.policy.iter().map(|&(mv, share)| (self.encoder.slot(view, mv), share)).unzip();
        ZeroPosition { seat, on, slots, policy, is_full, points: result.points as f32 }
    }
}

/// A game after up to so many random moves, none of which ends it.
fn opening<P: Position>(
    game: &Referee<P>,
    random_plies: usize,
    rng: &mut Rng,
) -> <Referee<P> as Game>::State {
    let (mut state, mut moves) = (game.start(rng), Vec::new());
    for _ in 0..rng.below(random_plies + 1) {
        let mut next = state.clone();
        game.play(&mut next, state.now.random_move(rng, &mut moves));
        if game.outcome(&next).is_some() {
            break;
        }
        state = next;
    }
    state
}
