//! The players that every open game has: `random`, `greedy`, `minimax`, `alphabeta` and `mcts`, over the game's evaluators.
//!
//! Which evaluator a search uses is settled when the player is made. Each search is compiled for the evaluator's own type, so nothing
//! inside it is virtual.

use std::sync::Arc;

use outplay_core::{Evaluator, Game, Player, Position, PositionHistory, PositionNotation, Referee, perft};
use outplay_players::{
    AlphaBeta, Budget, EpsilonRandom, Mcts, Minimax, Playout, PlayoutPolicy, Random, TerminalAwareness,
};

use rayon::prelude::*;

use super::Listing;
use super::board::{PlayerDef, PlayerFactory, PlayerRequest, USUAL_MEMORY};
use crate::error::LabError;
use crate::spec::{Param, ParamKind, Values, find_named};
use outplay_runtime::check_memory;

/// An evaluator on a game's list.
pub struct EvaluatorDef<P> {
    /// What is shown of it.
    pub listing: Listing,
    make: MakeEvaluator<P>,
}

/// Makes an evaluator for boards like this one.
type MakeEvaluator<P> = Box<dyn Fn(&P, &Values) -> Result<Box<dyn AnyEvaluator<P>>, LabError> + Send + Sync>;

impl<P: Position> EvaluatorDef<P> {
    /// An evaluator by its name, one line about it, its parameters, and how it is made for a board.
    pub fn new(
        name: &'static str,
        summary: &'static str,
        params: &[Param],
        make: impl Fn(&P, &Values) -> Result<Box<dyn AnyEvaluator<P>>, LabError> + Send + Sync + 'static,
    ) -> Self {
        Self { listing: Listing { name, summary, params: params.to_vec() }, make: Box::new(make) }
    }
}

/// An evaluator whose type is hidden: it turns into search players that know the type.
pub trait AnyEvaluator<P: Position> {
    /// The move that looks best after one ply, but for a share of random moves.
    fn greedy(self: Box<Self>, epsilon: f64) -> PlayerFactory<P>;
    /// Full-width search to a fixed depth.
    fn minimax(self: Box<Self>, search: FixedDepth) -> PlayerFactory<P>;
    /// Iterative deepening with a transposition table.
    fn alphabeta(self: Box<Self>, search: Deepening) -> PlayerFactory<P>;
    /// Monte-Carlo tree search.
    fn mcts(self: Box<Self>, search: TreeSearch) -> PlayerFactory<P>;
}

impl<P: Position, E: Evaluator<P> + Clone + Sync + 'static> AnyEvaluator<P> for E {
    fn greedy(self: Box<Self>, epsilon: f64) -> PlayerFactory<P> {
        factory(*self, move |evaluator| EpsilonRandom::new(Minimax::greedy(evaluator), epsilon))
    }

    fn minimax(self: Box<Self>, search: FixedDepth) -> PlayerFactory<P> {
        factory(*self, move |evaluator| Minimax::new(evaluator, search.depth, search.sight))
    }

    fn alphabeta(self: Box<Self>, search: Deepening) -> PlayerFactory<P> {
        factory(*self, move |evaluator| {
            let player = AlphaBeta::new(evaluator, search.budget).with_candidates(search.candidates);
            match search.table_bytes {
                Some(bytes) => player.with_table(AlphaBeta::<P, E>::entries_in(bytes)),
                None => player,
            }
        })
    }

    fn mcts(self: Box<Self>, search: TreeSearch) -> PlayerFactory<P> {
        factory(*self, move |evaluator| {
            Mcts::new(evaluator, search.budget)
                .with_exploration(search.exploration)
                .with_playout(search.playout)
                .with_trees(search.trees)
        })
    }
}

/// Any player made from an evaluator by copying it.
fn factory<P: Position, E, T>(evaluator: E, make: impl Fn(E) -> T + Send + Sync + 'static) -> PlayerFactory<P>
where
    E: Evaluator<P> + Clone + Sync + 'static,
    T: Player<P> + 'static,
{
    Arc::new(move || Box::new(make(evaluator.clone())))
}

/// How the search players of a game work where the user does not say it.
#[derive(Clone, Copy, Debug)]
pub struct SearchDefaults {
    /// How many plies `alphabeta` looks ahead without a limit: a move should take about a second.
    pub depth: u32,
    /// How `mcts` values its leaves, `playout=`.
    pub playout: &'static str,
    /// The exploration constant of `mcts`, `c=`.
    pub exploration: &'static str,
    /// After how many plies the playouts of `mcts` are cut, `cut=`; they run to the end of the game if `None`.
    pub cut: Option<&'static str>,
}

impl Default for SearchDefaults {
    fn default() -> Self {
        Self { depth: 6, playout: "random", exploration: "0.5", cut: None }
    }
}

const TIME: Param = Param { name: "time", kind: ParamKind::Time, default: None, help: "time per move" };

const GREEDY: &[Param] = &[Param {
    name: "eps",
    kind: ParamKind::Real(0.0, 1.0),
    default: Some("0"),
    help: "share of random moves",
}];

/// The limits of a search that deepens step by step.
const SEARCH_LIMITS: &[Param] = &[
    Param {
        name: "depth",
        kind: ParamKind::Whole(1, 200),
        default: None,
        help: "plies to look ahead (if no limit is given, as many as the game can afford)",
    },
    Param {
        name: "nodes",
        kind: ParamKind::Whole(1, 1_000_000_000_000),
        default: None,
        help: "positions per move",
    },
    TIME,
    Param {
        name: "table",
        kind: ParamKind::Whole(1, 65_536),
        default: None,
        help: "size of the transposition table in MiB, rounded to a power of two (about 12 if not given)",
    },
    Param {
        name: "candidates",
        kind: ParamKind::Whole(1, 1000),
        default: Some("1"),
        help: "how many of the best moves get an exact value, for analysis",
    },
];

/// The parameters of the tree search but for the evaluator's.
const TREE: &[Param] = &[
    Param {
        name: "sims",
        kind: ParamKind::Whole(1, 1_000_000_000_000),
        default: None,
        help: "simulations per move (1000 if no time is given)",
    },
    TIME,
    Param {
        name: "c",
        kind: ParamKind::Real(0.0, 100.0),
        default: None,
        help: "exploration constant of UCT, for values from 0 to 1",
    },
    Param {
        name: "playout",
        kind: ParamKind::Word(&["random", "likely", "eval", "none"]),
        default: None,
        help: "games from each leaf by random moves, by those that the evaluator expects or likes best, or its judgement of the leaf itself",
    },
    Param {
        name: "cut",
        kind: ParamKind::Whole(0, 10_000),
        default: None,
        help: "cuts these games after this many plies and asks the evaluator",
    },
    Param {
        name: "threads",
        kind: ParamKind::Whole(1, 256),
        default: Some("1"),
        help: "independent trees whose visits are added up",
    },
];

/// `random`, which every game has.
pub fn random_player<G: Game>() -> PlayerDef<G> {
    PlayerDef::new("random", "plays legal moves at random", Vec::new(), |_| Ok(Arc::new(|| Box::new(Random))))
        .with_memory(|_| 1)
}

/// `random`, `greedy`, `minimax`, `alphabeta` and `mcts` over these evaluators, of which the first is the default.
pub(super) fn search_players<P: Position>(
    evaluators: Vec<Arc<EvaluatorDef<P>>>,
    defaults: &SearchDefaults,
) -> Vec<PlayerDef<Referee<P>>> {
    let depth = defaults.depth;
    let search = Search { eval: eval_param(&evaluators), evaluators };
    vec![
        random_player(),
        search.player("greedy", "the move that looks best after one ply", GREEDY, |evaluator, values| {
            Ok(evaluator.greedy(values.real("eps")))
        }),
        search.player(
            "minimax",
            "full-width search to a fixed depth",
            FixedDepth::PARAMS,
            |evaluator, values| Ok(evaluator.minimax(FixedDepth::of(values))),
        ),
        search
            .player(
                "alphabeta",
                "iterative deepening with a transposition table",
                SEARCH_LIMITS,
                move |evaluator, values| Ok(evaluator.alphabeta(Deepening::of(values, depth)?)),
            )
            .with_memory(|values| values.optional_whole("table").map_or(USUAL_MEMORY, |size| size as u32)),
        search
            .player("mcts", "Monte-Carlo tree search (UCT)", &tree_params(defaults), |evaluator, values| {
                Ok(evaluator.mcts(TreeSearch::of(values)?))
            })
            .with_memory(|values| USUAL_MEMORY.saturating_mul(values.whole("threads") as u32)),
    ]
}

/// What the search players of a game have in common.
struct Search<P> {
    eval: Param,
    evaluators: Vec<Arc<EvaluatorDef<P>>>,
}

impl<P: Position> Search<P> {
    /// A player made of the evaluator that `eval=` names and a method with parameters of its own.
    fn player(
        &self,
        name: &'static str,
        summary: &'static str,
        own: &[Param],
        method: impl Fn(Box<dyn AnyEvaluator<P>>, &Values) -> Result<PlayerFactory<P>, LabError>
        + Send
        + Sync
        + 'static,
    ) -> PlayerDef<Referee<P>> {
        let evaluators = self.evaluators.clone();
        PlayerDef::new(
            name,
            summary,
            [own, &[self.eval]].concat(),
            move |request: &PlayerRequest<'_, Referee<P>>| {
                let name = request.values.word("eval");
                let def = find_named("evaluator", name, &evaluators, |def| def.listing.name)?;
                method((def.make)(&request.game.start, request.values)?, request.values)
            },
        )
    }
}

/// The parameter that names the evaluator. The first on the list is taken when none is named.
fn eval_param<P>(evaluators: &[Arc<EvaluatorDef<P>>]) -> Param {
    Param {
        name: "eval",
        kind: ParamKind::Evaluator,
        default: Some(evaluators[0].listing.name),
        help: "how positions are evaluated; the evaluator's own parameters may follow",
    }
}

/// A player of the evaluator's own name, which searches to a fixed depth.
pub(super) fn fixed_depth_player<P: Position>(def: Arc<EvaluatorDef<P>>) -> PlayerDef<Referee<P>> {
    let Listing { name, summary, ref params } = def.listing;
    let params = [FixedDepth::PARAMS, params].concat();
    PlayerDef::new(name, summary, params, move |request: &PlayerRequest<'_, Referee<P>>| {
        let evaluator = (def.make)(&request.game.start, request.values)?;
        Ok(evaluator.minimax(FixedDepth::of(request.values)))
    })
}

/// The parameters of a tree search, with the game's own defaults.
fn tree_params(defaults: &SearchDefaults) -> Vec<Param> {
    let own = |param: &Param| match param.name {
        "playout" => Param { default: Some(defaults.playout), ..*param },
        "c" => Param { default: Some(defaults.exploration), ..*param },
        "cut" => Param { default: defaults.cut, ..*param },
        _ => *param,
    };
    TREE.iter().map(own).collect()
}

/// The leaves below each move of an open game, counted on all cores.
pub(super) fn open_perft<P: PositionNotation>(state: &PositionHistory<P>, depth: u32) -> Vec<(String, u64)> {
    let leaves = |mv| if depth == 0 { 0 } else { perft(&state.now.after(mv), depth - 1) };
    let count = |mv| (state.now.write_move(mv), leaves(mv));
    state.now.moves().into_par_iter().map(count).collect()
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
        Param {
            name: "depth",
            kind: ParamKind::Whole(1, 64),
            default: Some("2"),
            help: "plies to look ahead",
        },
        Param {
            name: "sight",
            kind: ParamKind::Word(&["ends", "win", "blind"]),
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

/// Iterative deepening within a budget.
pub struct Deepening {
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
            check_memory(&format!("table={mebibytes}"), mebibytes)?;
        }
        let table_bytes = table.map(|mebibytes| mebibytes << 20);
        Ok(Self { budget, table_bytes, candidates: values.whole("candidates") as usize })
    }
}

/// A tree search within a budget.
pub struct TreeSearch {
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
