//! The players that every game without secrets has: the generic methods over the game's own evaluators.
//!
//! Law: which evaluator runs is settled when a player is made; inside a search nothing is virtual.

use std::sync::Arc;

use outplay_core::{Evaluator, Game, Player, Position, PositionHistory, PositionNotation, Referee, perft};
use outplay_players::{
    AlphaBeta, Budget, EpsilonRandom, Mcts, Minimax, Playout, PlayoutPolicy, Random, TerminalAwareness,
};

use rayon::prelude::*;

use super::{Factory, Listing, PlayerEntry};
use crate::error::LabError;
use crate::memory::refuse_without_room;
use crate::spec::{Kind, Param, Spec, Values, find_named};
use crate::store::Store;

/// An evaluator on a game's list.
pub struct EvaluatorEntry {
    /// Its name, as in `eval=expert`.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

/// What is shown of a game's evaluators.
pub fn open_evaluators<P: Judged>() -> Vec<Listing> {
    let listing = |entry: &EvaluatorEntry| Listing {
        name: entry.name,
        summary: entry.summary,
        params: entry.params.to_vec(),
    };
    P::EVALUATORS.iter().map(listing).collect()
}

/// A position that comes with evaluators.
pub trait Judged: PositionNotation {
    /// The evaluators, the default first.
    const EVALUATORS: &'static [EvaluatorEntry];
    /// Their names; see [`names`].
    const NAMES: &'static [&'static str];
    /// How many plies a search looks ahead where the user sets no limit: a move should take about a second.
    const DEPTH: u32;
    /// How a tree search judges its leaves where the user does not say it, `playout=`, and how curious it is, `c=`.
    const LEAVES: (&'static str, &'static str);
    /// After how many plies its playouts are cut where the user does not say it, `cut=`; they go on to the end if nothing is set.
    const CUT: Option<&'static str> = None;

    /// Makes the evaluator of this name for boards like this one and hands it to `user`.
    fn with_evaluator<U: EvaluatorUser<Self>>(
        &self,
        name: &str,
        values: &Values,
        store: &Store,
        user: U,
    ) -> Result<U::Output, LabError>;
}

/// The names of the entries, in order.
pub const fn names<const K: usize>(entries: &[EvaluatorEntry; K]) -> [&'static str; K] {
    let mut names = [""; K];
    let mut i = 0;
    while i < K {
        names[i] = entries[i].name;
        i += 1;
    }
    names
}

/// Someone who can work with any evaluator.
pub trait EvaluatorUser<P: Position> {
    /// What comes of it.
    type Output;

    /// Works with this one.
    fn take<E: Evaluator<P> + Clone + Sync + 'static>(self, evaluator: E) -> Self::Output;
}

const TIME: Param = Param { name: "time", kind: Kind::Time, default: None, help: "time a move" };

const GREEDY: &[Param] = &[Param {
    name: "eps",
    kind: Kind::Real(0.0, 1.0),
    default: Some("0"),
    help: "share of moves drawn blindly",
}];

/// The limits of a search that deepens step by step.
const SEARCH_LIMITS: &[Param] = &[
    Param {
        name: "depth",
        kind: Kind::Whole(1, 200),
        default: None,
        help: "plies to look ahead (if no limit is given, as many as the game can afford)",
    },
    Param { name: "nodes", kind: Kind::Whole(1, 1_000_000_000_000), default: None, help: "positions a move" },
    TIME,
    Param {
        name: "table",
        kind: Kind::Whole(1, 65_536),
        default: None,
        help: "room for the transposition table in MiB, used by powers of two (about 12 if not given)",
    },
    Param {
        name: "candidates",
        kind: Kind::Whole(1, 1000),
        default: Some("1"),
        help: "how many of the best moves get an exact value, for analysis",
    },
];

/// The parameters of the tree search but for the evaluator's.
const TREE: &[Param] = &[
    Param {
        name: "sims",
        kind: Kind::Whole(1, 1_000_000_000_000),
        default: None,
        help: "simulations a move (1000 if no time is given)",
    },
    TIME,
    Param {
        name: "c",
        kind: Kind::Real(0.0, 100.0),
        default: None,
        help: "exploration constant of UCT, for values from 0 to 1",
    },
    Param {
        name: "playout",
        kind: Kind::Word(&["random", "likely", "eval", "none"]),
        default: None,
        help: "games from each leaf by random moves, by those that the evaluator expects or likes best, or its judgement of the leaf itself",
    },
    Param {
        name: "cut",
        kind: Kind::Whole(0, 10_000),
        default: None,
        help: "cuts these games after so many plies and asks the evaluator",
    },
    Param {
        name: "threads",
        kind: Kind::Whole(1, 256),
        default: Some("1"),
        help: "independent trees whose visits are added up",
    },
];

/// `random`, which every game has.
pub fn random_player<G: Game>() -> PlayerEntry<G> {
    PlayerEntry {
        listing: Listing { name: "random", summary: "any legal move, all alike", params: Vec::new() },
        hire: |_, spec, _, _| {
            spec.resolve("player 'random'", &[])?;
            Ok(Arc::new(|| Box::new(Random)))
        },
    }
}

/// `random`, `greedy`, `minimax`, `alphabeta` and `mcts` for any open game.
pub fn open_players<P: Judged>() -> Vec<PlayerEntry<Referee<P>>> {
    let listing = |name, summary, own: &[Param], judges: bool| {
        let eval = judges.then(eval_param::<P>);
        Listing { name, summary, params: own.iter().copied().chain(eval).collect() }
    };
    vec![
        random_player(),
        PlayerEntry {
            listing: listing("greedy", "the move that looks best after one ply", GREEDY, true),
            hire: |game, spec, store, _| {
                let make = |values: &Values| Ok(Greedy { epsilon: values.real("eps") });
                hire_judge(&game.start, spec, store, GREEDY, make)
            },
        },
        PlayerEntry {
            listing: listing("minimax", "full-width search to a fixed depth", FixedDepth::PARAMS, true),
            hire: |game, spec, store, _| {
                hire_judge(&game.start, spec, store, FixedDepth::PARAMS, |values| Ok(FixedDepth::of(values)))
            },
        },
        PlayerEntry {
            listing: listing(
                "alphabeta",
                "iterative deepening with a transposition table",
                SEARCH_LIMITS,
                true,
            ),
            hire: |game, spec, store, _| {
                hire_judge(&game.start, spec, store, SEARCH_LIMITS, |values| Deepening::of(values, P::DEPTH))
            },
        },
        PlayerEntry {
            listing: listing("mcts", "Monte-Carlo tree search (UCT)", &tree_params::<P>(), true),
            hire: |game, spec, store, _| {
                hire_judge(&game.start, spec, store, &tree_params::<P>(), TreeSearch::of)
            },
        },
    ]
}

/// The parameters of a tree search, with the game's own defaults.
fn tree_params<P: Judged>() -> Vec<Param> {
    let (playout, curiosity) = P::LEAVES;
    let own = |param: &Param| match param.name {
        "playout" => Param { default: Some(playout), ..*param },
        "c" => Param { default: Some(curiosity), ..*param },
        "cut" => Param { default: P::CUT, ..*param },
        _ => *param,
    };
    TREE.iter().map(own).collect()
}

/// The leaves below each move of an open game, counted on all cores.
pub fn open_divide<P: PositionNotation>(state: &PositionHistory<P>, depth: u32) -> Vec<(String, u64)> {
    let leaves = |mv| if depth == 0 { 0 } else { perft(&state.now.after(mv), depth - 1) };
    let count = |mv| (state.now.write_move(mv), leaves(mv));
    state.now.moves().into_par_iter().map(count).collect()
}

/// The parameter that names the evaluator. The first on the list is taken when none is named.
fn eval_param<P: Judged>() -> Param {
    Param {
        name: "eval",
        kind: Kind::Word(P::NAMES),
        default: Some(P::NAMES[0]),
        help: "how positions are judged; the evaluator's own parameters may follow",
    }
}

/// A player made of the evaluator that `eval=` names and a method with parameters of its own.
fn hire_judge<P: Judged, U: EvaluatorUser<P, Output = Factory<P>>>(
    board: &P,
    spec: &Spec,
    store: &Store,
    own: &[Param],
    method: impl FnOnce(&Values) -> Result<U, LabError>,
) -> Result<Factory<P>, LabError> {
    let evaluator = spec.get("eval").unwrap_or(P::NAMES[0]);
    hire_over(board, evaluator, spec, store, &[own, &[eval_param::<P>()]].concat(), method)
}

/// The same for a player that is named after its evaluator.
pub fn hire_preset<P: Judged, U: EvaluatorUser<P, Output = Factory<P>>>(
    board: &P,
    spec: &Spec,
    store: &Store,
    own: &[Param],
    method: impl FnOnce(&Values) -> Result<U, LabError>,
) -> Result<Factory<P>, LabError> {
    hire_over(board, &spec.name, spec, store, own, method)
}

fn hire_over<P: Judged, U: EvaluatorUser<P, Output = Factory<P>>>(
    board: &P,
    evaluator: &str,
    spec: &Spec,
    store: &Store,
    own: &[Param],
    method: impl FnOnce(&Values) -> Result<U, LabError>,
) -> Result<Factory<P>, LabError> {
    let evaluator = find_named("evaluator", evaluator, P::EVALUATORS, |entry| entry.name)?;
    let values = spec.resolve(&format!("player '{}'", spec.name), &[own, evaluator.params].concat())?;
    board.with_evaluator(evaluator.name, &values, store, method(&values)?)
}

/// Any player made from an evaluator by copying it.
fn factory<P: Position, E, T>(evaluator: E, make: impl Fn(E) -> T + Send + Sync + 'static) -> Factory<P>
where
    E: Evaluator<P> + Clone + Sync + 'static,
    T: Player<P> + 'static,
{
    Arc::new(move || Box::new(make(evaluator.clone())))
}

struct Greedy {
    epsilon: f64,
}

impl<P: Position> EvaluatorUser<P> for Greedy {
    type Output = Factory<P>;

    fn take<E: Evaluator<P> + Clone + Sync + 'static>(self, evaluator: E) -> Factory<P> {
        factory(evaluator, move |evaluator| EpsilonRandom::new(Minimax::greedy(evaluator), self.epsilon))
    }
}

/// Full width to a fixed depth.
pub struct FixedDepth {
    /// Plies.
    pub depth: u32,
    /// What it knows of the end.
    pub sight: TerminalAwareness,
}

impl FixedDepth {
    /// Its parameters.
    pub const PARAMS: &'static [Param] = &[
        Param { name: "depth", kind: Kind::Whole(1, 64), default: Some("2"), help: "plies to look ahead" },
        Param {
            name: "sight",
            kind: Kind::Word(&["ends", "win", "blind"]),
            default: Some("ends"),
            help: "knows every end of the game, only its own win at once, or none: the evaluator judges the rest",
        },
    ];

    /// The search with these values.
    pub fn of(values: &Values) -> Self {
        let sight = match values.word("sight") {
            "blind" => TerminalAwareness::Blind,
            "win" => TerminalAwareness::ImmediateWin,
            _ => TerminalAwareness::Outcomes,
        };
        Self { depth: values.whole("depth") as u32, sight }
    }
}

impl<P: Position> EvaluatorUser<P> for FixedDepth {
    type Output = Factory<P>;

    fn take<E: Evaluator<P> + Clone + Sync + 'static>(self, evaluator: E) -> Factory<P> {
        factory(evaluator, move |evaluator| Minimax::new(evaluator, self.depth, self.sight))
    }
}

struct Deepening {
    budget: Budget,
    table_bytes: Option<usize>,
    candidates: usize,
}

impl Deepening {
    fn of(values: &Values, default_depth: u32) -> Result<Self, LabError> {
        let mut budget = Budget {
            depth: values.optional_whole("depth").map(|depth| depth as u32),
            nodes: values.optional_whole("nodes").map(|nodes| nodes as u64),
            time: values.optional_time("time"),
        };
        if budget == Budget::UNLIMITED {
            budget = Budget::depth(default_depth);
        }
        let table = values.optional_whole("table").map(|mebibytes| mebibytes as usize);
        if let Some(mebibytes) = table {
            refuse_without_room(&format!("table={mebibytes}"), mebibytes)?;
        }
        let table_bytes = table.map(|mebibytes| mebibytes << 20);
        Ok(Self { budget, table_bytes, candidates: values.whole("candidates") as usize })
    }
}

impl<P: Position> EvaluatorUser<P> for Deepening {
    type Output = Factory<P>;

    fn take<E: Evaluator<P> + Clone + Sync + 'static>(self, evaluator: E) -> Factory<P> {
        factory(evaluator, move |evaluator| {
            let player = AlphaBeta::new(evaluator, self.budget).with_candidates(self.candidates);
            match self.table_bytes {
                Some(bytes) => player.with_table(AlphaBeta::<P, E>::entries_in(bytes)),
                None => player,
            }
        })
    }
}

struct TreeSearch {
    budget: Budget,
    exploration: f64,
    playout: Playout,
    trees: usize,
}

impl TreeSearch {
    fn of(values: &Values) -> Result<Self, LabError> {
        let mut budget = Budget {
            nodes: values.optional_whole("sims").map(|sims| sims as u64),
            time: values.optional_time("time"),
            ..Budget::UNLIMITED
        };
        if budget == Budget::UNLIMITED {
            budget = Budget::nodes(1000);
        }
        let cut = values.optional_whole("cut").map(|plies| plies as u32);
        let playout = match (values.word("playout"), cut) {
            ("none", Some(plies)) if values.first_given(&["cut"]).is_some() => {
                return Err(LabError::refused(format!(
                    "cut={plies} has no effect with playout=none: expected one of them"
                )));
            }
            ("none", _) => Playout::NONE,
            ("likely", cut) => Playout { policy: PlayoutPolicy::Sampled, cut },
            ("eval", cut) => Playout { policy: PlayoutPolicy::Greedy, cut },
            (_, cut) => Playout { policy: PlayoutPolicy::Random, cut },
        };
        Ok(Self { budget, exploration: values.real("c"), playout, trees: values.whole("threads") as usize })
    }
}

impl<P: Position> EvaluatorUser<P> for TreeSearch {
    type Output = Factory<P>;

    fn take<E: Evaluator<P> + Clone + Sync + 'static>(self, evaluator: E) -> Factory<P> {
        factory(evaluator, move |evaluator| {
            Mcts::new(evaluator, self.budget)
                .with_exploration(self.exploration)
                .with_playout(self.playout)
                .with_trees(self.trees)
        })
    }
}
