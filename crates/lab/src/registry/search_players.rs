//! The players that every open game has: `random`, `greedy`, `minimax`, `alphabeta` and `mcts`, over the game's evaluators.
//!
//! Which evaluator a search uses is settled when the player is made. Each search is compiled for the evaluator's own type, so nothing
//! inside it is virtual.

use outplay_runtime::WorkError;
use std::sync::Arc;
use std::time::Duration;

use outplay_core::{
    Evaluator, Game, PerftCount, Player, Position, PositionHistory, PositionNotation, Referee, Text,
    count_tree, errors,
};
use outplay_players::{
    AlphaBeta, Budget, EpsilonRandom, Mcts, Minimax, Playout, PlayoutPolicy, PlayoutResult, Random,
    TerminalAwareness, tree_memory,
};

use rayon::prelude::*;

use super::Listing;
use super::board::{MemoryOf, PlayerDef, PlayerFactory, PlayerRequest};
use crate::params::{EvaluatorName, Params, Tracked, USUAL_MEMORY};
use crate::spec::{Noun, Spec, find_named};
use crate::{params, words};
use outplay_runtime::check_memory;

/// An evaluator on a game's list.
pub struct EvaluatorDef<P> {
    /// What is shown of it.
    pub listing: Listing,
    make: MakeEvaluator<P>,
    /// The MiB of memory that it may come to use.
    memory: MemoryOf,
}

/// Makes an evaluator for boards like this one.
type MakeEvaluator<P> = Box<dyn Fn(&P, &Spec) -> Result<Box<dyn AnyEvaluator<P>>, WorkError> + Send + Sync>;

impl<P: Position> EvaluatorDef<P> {
    /// An evaluator by its name, one line about it, its parameters with their defaults, and how it is made for a board.
    pub fn new<A: Params>(
        name: &'static str,
        summary: Text,
        defaults: A,
        make: impl Fn(&P, &A) -> Result<Box<dyn AnyEvaluator<P>>, WorkError> + Send + Sync + 'static,
    ) -> Self {
        let listing = Listing { name, summary, params: defaults.list() };
        let usual = defaults.clone();
        Self {
            listing,
            make: Box::new(move |board, spec| make(board, &defaults.read(spec)?)),
            memory: Box::new(move |spec| Ok(usual.read(spec)?.memory())),
        }
    }
}

/// An evaluator whose type is hidden: it turns into search players that know the type.
pub trait AnyEvaluator<P: Position> {
    /// The move that looks best after one ply, but for a share of random moves.
    fn greedy(self: Box<Self>, epsilon: f64) -> PlayerFactory<P>;
    /// Full-width search to a fixed depth.
    fn minimax(self: Box<Self>, search: &FixedDepth) -> PlayerFactory<P>;
    /// Iterative deepening with a transposition table, within a budget.
    fn alphabeta(self: Box<Self>, search: &Deepening, budget: Budget) -> PlayerFactory<P>;
    /// Monte-Carlo tree search.
    fn mcts(self: Box<Self>, search: &TreeSearch) -> PlayerFactory<P>;
}

impl<P: Position, E: Evaluator<P> + Clone + Sync + 'static> AnyEvaluator<P> for E {
    fn greedy(self: Box<Self>, epsilon: f64) -> PlayerFactory<P> {
        factory(*self, move |evaluator| EpsilonRandom::new(Minimax::greedy(evaluator), epsilon))
    }

    fn minimax(self: Box<Self>, search: &FixedDepth) -> PlayerFactory<P> {
        let FixedDepth { depth, sight } = *search;
        factory(*self, move |evaluator| Minimax::new(evaluator, depth, sight))
    }

    fn alphabeta(self: Box<Self>, search: &Deepening, budget: Budget) -> PlayerFactory<P> {
        let Deepening { table, candidates, .. } = *search;
        factory(*self, move |evaluator| {
            let player = AlphaBeta::new(evaluator, budget).with_candidates(candidates);
            match table {
                Some(mebibytes) => {
                    player.with_table(AlphaBeta::<P, E>::entries_in((mebibytes as usize) << 20))
                }
                None => player,
            }
        })
    }

    fn mcts(self: Box<Self>, search: &TreeSearch) -> PlayerFactory<P> {
        let (budget, playout) = (search.budget(), search.playout());
        let TreeSearch { exploration, threads, .. } = *search;
        factory(*self, move |evaluator| {
            Mcts::new(evaluator, budget)
                .with_exploration(exploration)
                .with_playout(playout)
                .with_trees(threads)
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
    pub playout: PlayoutChoice,
    /// The exploration constant of `mcts`, `c=`.
    pub exploration: f64,
    /// After how many plies the playouts of `mcts` are cut, `cut=`; they run to the end of the game if `None`.
    pub cut: Option<u32>,
}

impl Default for SearchDefaults {
    fn default() -> Self {
        Self { depth: 6, playout: PlayoutChoice::Random, exploration: 0.5, cut: None }
    }
}

params! {
    /// A search of one ply.
    struct GreedyParams {
        epsilon as "eps": f64 = 0.0, in 0.0..=1.0, "share of random moves" | "part de coups au hasard";
    }
    memory |_params| SEARCH_STACK
}

params! {
    /// A full-width search to a fixed depth.
    pub struct FixedDepth {
        depth: u32 = 2, in 1..=64, "plies to look ahead" | "demi-coups à regarder";
        sight: TerminalAwareness = TerminalAwareness::Outcomes,
            "knows every end of the game, only its own win at once, or none: the evaluator judges the rest" | "connaît toutes les fins de partie, seulement son gain immédiat, ou aucune : l’évaluateur juge le reste";
    }
    memory |_params| SEARCH_STACK
}

words!(TerminalAwareness {
    "ends" => TerminalAwareness::Outcomes,
    "win" => TerminalAwareness::ImmediateWin,
    "blind" => TerminalAwareness::Blind,
});

params! {
    /// A search that deepens step by step.
    pub struct Deepening {
        depth: Option<u32> = None, in 1..=200,
            "plies to look ahead (if no limit is given, as many as the game can afford)" | "demi-coups à regarder (sans limite donnée, autant que le jeu le permet)";
        nodes: Option<u64> = None, in 1..=1_000_000_000_000, "positions per move" | "positions par coup";
        time: Option<Duration> = None, "time per move" | "temps par coup";
        table: Option<u32> = None, in 1..=65_536,
            "size of the transposition table in MiB, rounded to a power of two (about 12 if not given)" | "place pour la table de transpositions en Mio, par puissances de deux (environ 12 si non donné)";
        candidates: usize = 1, in 1..=1000, "how many of the best moves get an exact value, for analysis" | "combien des meilleurs coups reçoivent une valeur exacte, pour l’analyse";
    }
    memory |search| search.table.unwrap_or(USUAL_MEMORY)
}

impl Deepening {
    fn budget(&self, default_depth: u32) -> Budget {
        let budget = Budget { depth: self.depth, nodes: self.nodes, time: self.time };
        if budget == Budget::UNLIMITED { Budget::depth(default_depth) } else { budget }
    }
}

params! {
    /// A Monte-Carlo tree search.
    pub struct TreeSearch {
        simulations as "sims": Option<u64> = None, in 1..=1_000_000_000_000,
            "simulations per move (1000 if no time is given)" | "simulations par coup (1000 si aucun temps n’est donné)";
        time: Option<Duration> = None, "time per move" | "temps par coup";
        exploration as "c": f64 = 0.5, in 0.0..=100.0, "exploration constant of UCT, for values from 0 to 1" | "constante d’exploration d’UCT, pour des valeurs de 0 à 1";
        playout: PlayoutChoice = PlayoutChoice::Random,
            "games from each leaf by random moves, by those that the evaluator expects or likes best, or its judgement of the leaf itself"
            | "parties depuis chaque feuille par coups au hasard, par ceux que l’évaluateur attend ou préfère, ou son jugement de la feuille";
        cut: Tracked<Option<u32>> = None.into(), in 0..=10_000,
            "cuts these games after this many plies and asks the evaluator" | "coupe ces parties après tant de coups et interroge l’évaluateur";
        result: CutResult = CutResult::Chance,
            "whether a game that is cut counts for the chance that the evaluator gives, or is won or lost by a threshold (ChessMate 2018)"
            | "si une partie coupée compte pour la chance que donne l’évaluateur, ou est gagnée ou perdue selon un seuil (ChessMate 2018)";
        threshold: Tracked<f64> = 0.5.into(), in 0.5..=1.0,
            "the chance above which such a game is won; where neither side has it, it is drawn"
            | "la chance au-delà de laquelle une telle partie est gagnée ; si aucun camp ne l’a, elle est nulle";
        threads: usize = 1, in 1..=256, "independent trees whose visits are added up" | "arbres indépendants dont les visites s’additionnent";
    }
    memory |search| tree_memory(search.budget().nodes).saturating_mul(search.threads as u32)
}

/// How a tree search values its leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutChoice {
    /// By games of random moves.
    Random,
    /// By games of moves that the evaluator expects.
    Likely,
    /// By games of moves that the evaluator likes best.
    Eval,
    /// By the evaluator alone.
    None,
}

words!(PlayoutChoice {
    "random" => PlayoutChoice::Random,
    "likely" => PlayoutChoice::Likely,
    "eval" => PlayoutChoice::Eval,
    "none" => PlayoutChoice::None,
});

/// What a playout that was cut counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutResult {
    /// The chance that the evaluator gives.
    Chance,
    /// A win, a draw or a loss.
    Threshold,
}

words!(CutResult { "chance" => CutResult::Chance, "threshold" => CutResult::Threshold });

impl TreeSearch {
    fn of_game(defaults: &SearchDefaults) -> Self {
        let SearchDefaults { playout, exploration, cut, .. } = *defaults;
        Self { playout, exploration, cut: cut.into(), ..Self::default() }
    }

    fn budget(&self) -> Budget {
        let budget = Budget { nodes: self.simulations, time: self.time, ..Budget::UNLIMITED };
        if budget == Budget::UNLIMITED { Budget::nodes(1000) } else { budget }
    }

    fn playout(&self) -> Playout {
        let result = match self.result {
            CutResult::Chance => PlayoutResult::Chance,
            CutResult::Threshold => PlayoutResult::Threshold(*self.threshold),
        };
        let policy = match self.playout {
            PlayoutChoice::None => return Playout { result, ..Playout::NONE },
            PlayoutChoice::Likely => PlayoutPolicy::Sampled,
            PlayoutChoice::Eval => PlayoutPolicy::Greedy,
            PlayoutChoice::Random => PlayoutPolicy::Random,
        };
        Playout { policy, cut: *self.cut, result }
    }

    /// Refuses a cut of playouts where there are none, and a threshold where none is looked at.
    fn check(&self) -> Result<(), SearchError> {
        match *self.cut {
            Some(plies) if self.cut.is_given() && self.playout == PlayoutChoice::None => {
                Err(SearchError::CutWithoutPlayouts { plies })
            }
            _ if self.threshold.is_given() && self.result == CutResult::Chance => {
                Err(SearchError::ThresholdOfChance { threshold: *self.threshold })
            }
            _ => Ok(()),
        }
    }
}

/// The MiB of a search that keeps nothing but the line it looks at.
const SEARCH_STACK: u32 = 1;

params! {
    /// The evaluator of a search. Its own parameters may follow.
    struct EvaluatorParams {
        eval: EvaluatorName = EvaluatorName("even".to_owned()),
            "how positions are evaluated; the evaluator's own parameters may follow" | "comment les positions sont évaluées ; les paramètres de l’évaluateur peuvent suivre";
    }
    memory |_params| 0
}

errors! {
    /// Why a search cannot be made.
    pub enum SearchError {
        CutWithoutPlayouts { plies: u32 } =
            "cut={plies} has no effect with playout=none: expected one of them"
            | "cut={plies} est sans effet avec playout=none : attendu l’un des deux",
        ThresholdOfChance { threshold: f64 } =
            "threshold={threshold} has no effect with result=chance: expected result=threshold"
            | "threshold={threshold} est sans effet avec result=chance : attendu result=threshold",
    }
}

/// `random`, which every game has.
pub fn random_player<G: Game>() -> PlayerDef<G> {
    let summary = Text::new("plays legal moves at random", "joue des coups légaux au hasard");
    PlayerDef::new("random", summary, RandomParams {}, |_, _| Ok(Arc::new(|| Box::new(Random))))
}

params! {
    /// A player that needs nothing.
    struct RandomParams {
    }
    memory |_params| 1
}

/// `random`, `greedy`, `minimax`, `alphabeta` and `mcts` over these evaluators, of which the first is the default.
pub(super) fn search_players<P: Position>(
    evaluators: Vec<Arc<EvaluatorDef<P>>>,
    defaults: &SearchDefaults,
) -> Vec<PlayerDef<Referee<P>>> {
    let depth = defaults.depth;
    let search = Search { evaluators };
    vec![
        random_player(),
        search.player(
            "greedy",
            Text::new(
                "the move that looks best after one ply",
                "le coup qui paraît le meilleur à un demi-coup",
            ),
            GreedyParams::default(),
            |evaluator, params| Ok(evaluator.greedy(params.epsilon)),
        ),
        search.player(
            "minimax",
            Text::new("full-width search to a fixed depth", "recherche complète à profondeur fixe"),
            FixedDepth::default(),
            |evaluator, search| Ok(evaluator.minimax(search)),
        ),
        search.player(
            "alphabeta",
            Text::new(
                "iterative deepening with a transposition table",
                "approfondissement itératif avec table de transpositions",
            ),
            Deepening::default(),
            move |evaluator, search| {
                if let Some(mebibytes) = search.table {
                    check_memory(&format!("table={mebibytes}"), mebibytes as usize)?;
                }
                Ok(evaluator.alphabeta(search, search.budget(depth)))
            },
        ),
        search.player(
            "mcts",
            Text::new("Monte-Carlo tree search (UCT)", "recherche arborescente de Monte-Carlo (UCT)"),
            TreeSearch::of_game(defaults),
            |evaluator, search| {
                search.check()?;
                Ok(evaluator.mcts(search))
            },
        ),
    ]
}

/// What the search players of a game have in common.
struct Search<P> {
    evaluators: Vec<Arc<EvaluatorDef<P>>>,
}

impl<P: Position> Search<P> {
    /// A player made of the evaluator that `eval=` names and a method with parameters of its own.
    fn player<A: Params>(
        &self,
        name: &'static str,
        summary: Text,
        own: A,
        method: impl Fn(Box<dyn AnyEvaluator<P>>, &A) -> Result<PlayerFactory<P>, WorkError>
        + Send
        + Sync
        + 'static,
    ) -> PlayerDef<Referee<P>> {
        let evaluators = self.evaluators.clone();
        let first = EvaluatorParams { eval: EvaluatorName(evaluators[0].listing.name.to_owned()) };
        let (estimated, usual) = (evaluators.clone(), (own.clone(), first.clone()));
        let mut player = PlayerDef::new(
            name,
            summary,
            (own, first),
            move |request: &PlayerRequest<'_, Referee<P>>, (own, EvaluatorParams { eval })| {
                let def = find_named(Noun::Evaluator, &eval.0, &evaluators, |def| def.listing.name)?;
                method((def.make)(&request.game.start, request.spec)?, own)
            },
        );
        player.memory = Box::new(move |spec| {
            let (own, EvaluatorParams { eval }) = usual.read(spec)?;
            let evaluator = estimated.iter().find(|def| def.listing.name == eval.0);
            let evaluator = evaluator.map_or(Ok(0), |def| (def.memory)(spec))?;
            Ok(own.memory().saturating_add(evaluator))
        });
        player
    }
}

/// A player of the evaluator's own name, which searches to a fixed depth.
pub(super) fn fixed_depth_player<P: Position>(def: Arc<EvaluatorDef<P>>) -> PlayerDef<Referee<P>> {
    let Listing { name, summary, params } = def.listing.clone();
    let estimated = Arc::clone(&def);
    let mut player = PlayerDef::new(
        name,
        summary,
        FixedDepth::default(),
        move |request: &PlayerRequest<'_, Referee<P>>, search: &FixedDepth| {
            Ok((def.make)(&request.game.start, request.spec)?.minimax(search))
        },
    );
    player.listing.params.extend(params);
    player.memory = Box::new(move |spec| Ok((estimated.memory)(spec)?.saturating_add(SEARCH_STACK)));
    player
}

/// The leaves below each move of an open game, counted on all cores.
pub(super) fn open_perft<P: PositionNotation>(
    state: &PositionHistory<P>,
    depth: u32,
) -> Vec<(String, PerftCount)> {
    let below = |mv| match depth {
        0 => PerftCount::default(),
        _ => count_tree(&state.now.after(mv), depth - 1),
    };
    let count = |mv| (state.now.write_move(mv), below(mv));
    state.now.moves().into_par_iter().map(count).collect()
}
