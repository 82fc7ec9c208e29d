//! The builder for games without secrets: a start position, and whatever else the game has.
//!
//! Everything that follows from the positions being open (perft, search players, reviews) is added for the game.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::scene::EditablePosition;
use outplay_core::{Evaluator, Game, Oracle, PositionHistory, PositionNotation, Referee, Seat, Text};
use outplay_players::{EvenEvaluator, ExactSearch};

use super::board::{
    Bench, BoardDef, BoardOf, DataDef, EvaluationDef, GameReader, MethodDef, OtherBoard, PlayerDef, SolverDef,
};
use super::exact::{SolverError, exact_answer, exhaustive_counts, exhaustive_solution, perfect_player};
use super::search_players::{EvaluatorDef, SearchDefaults, fixed_depth_player, open_perft, search_players};
use super::texts::{EditorDef, GameFormat, TextReader};
use super::{AnyGame, Facts, GameDef, Question, TypedGame};
use crate::console::Console;
use crate::learning::{SelfPlayGame, self_play_methods, self_play_players};
use crate::params::Params;
use crate::review::opinion;
use crate::spec::Spec;
use crate::store::{Solvable, Store};
use crate::zero::{zero_evaluator, zero_method, zero_player};
use outplay_runtime::Watch;

/// Entries in the table of a search for exact values: about 50 MB.
const SOLVER_TABLE: usize = 1 << 21;
/// The MiB of such a table.
const SEARCH_MEMORY: u32 = 128;

/// An open game in the making.
pub struct OpenGame<P: PositionNotation> {
    name: &'static str,
    summary: Text,
    board: BoardDef<Referee<P>>,
    evaluators: Vec<Arc<EvaluatorDef<P>>>,
    /// Evaluators that come last, so that none of them is the default.
    last_evaluators: Vec<Arc<EvaluatorDef<P>>>,
    defaults: SearchDefaults,
    /// Players that come after the search players.
    players: Vec<PlayerDef<Referee<P>>>,
}

impl<P: PositionNotation> OpenGame<P> {
    /// A game that begins in this position and ends by the position alone.
    pub fn new(name: &'static str, summary: Text, start: P) -> Self {
        Self::refereed(name, summary, Referee { start, repetitions: None, max_plies: None })
    }

    /// A game whose referee also ends games by repetition or length.
    pub fn refereed(name: &'static str, summary: Text, referee: Referee<P>) -> Self {
        let mut board = BoardDef::new(referee, opinion::of);
        board.perft = Some(open_perft);
        board.opponent = "alphabeta";
        board.analyst = "alphabeta:candidates=20";
        board.reviewer = "alphabeta";
        let defaults = SearchDefaults::default();
        let (evaluators, last_evaluators) = (Vec::new(), Vec::new());
        Self { name, summary, board, evaluators, last_evaluators, defaults, players: Vec::new() }
    }

    /// Adds an evaluator. The first one is the default of the search players; `even`, which knows nothing, is always there.
    #[must_use]
    pub fn evaluator<A: Params, E: Evaluator<P> + Clone + Sync + 'static>(
        self,
        name: &'static str,
        summary: Text,
        defaults: A,
        make: impl Fn(&A) -> Result<E, WorkError> + Send + Sync + 'static,
    ) -> Self {
        self.evaluator_def(EvaluatorDef::new(name, summary, defaults, move |_, params| {
            Ok(Box::new(make(params)?))
        }))
    }

    /// Adds an evaluator whose type depends on its parameters or on the board.
    #[must_use]
    pub fn evaluator_def(mut self, def: EvaluatorDef<P>) -> Self {
        self.evaluators.push(Arc::new(def));
        self
    }

    /// Adds a player of this evaluator's own name, which searches to a fixed depth: `expert:depth=2`.
    #[must_use]
    pub fn preset(mut self, evaluator: &'static str) -> Self {
        let def = self.evaluators.iter().find(|def| def.listing.name == evaluator);
        let def = Arc::clone(def.expect("a preset follows its evaluator"));
        self.players.push(fixed_depth_player(def));
        self
    }

    /// How the search players work where the user does not say it.
    #[must_use]
    pub fn search_defaults(mut self, defaults: SearchDefaults) -> Self {
        self.defaults = defaults;
        self
    }

    /// Names the usual opponent, the analyst and the reviewer.
    #[must_use]
    pub fn opponents(
        mut self,
        opponent: &'static str,
        analyst: &'static str,
        reviewer: &'static str,
    ) -> Self {
        (self.board.opponent, self.board.analyst, self.board.reviewer) = (opponent, analyst, reviewer);
        self
    }

    /// Adds a player of the game's own.
    #[must_use]
    pub fn player(mut self, player: PlayerDef<Referee<P>>) -> Self {
        self.players.push(player);
        self
    }

    /// Adds a way to train.
    #[must_use]
    pub fn method(mut self, method: MethodDef<Referee<P>>) -> Self {
        self.board.methods.push(method);
        self
    }

    /// Adds a measurement that needs no training.
    #[must_use]
    pub fn exam(mut self, exam: MethodDef<Referee<P>>) -> Self {
        self.board.exams.push(exam);
        self
    }

    /// Adds sets of examples.
    #[must_use]
    pub fn data(mut self, data: DataDef<Referee<P>>) -> Self {
        self.board.data = Some(data);
        self
    }

    /// Adds a measurement of trained networks.
    #[must_use]
    pub fn evaluation(mut self, evaluation: EvaluationDef<Referee<P>>) -> Self {
        self.board.evaluation = Some(evaluation);
        self
    }

    /// Adds a console.
    #[must_use]
    pub fn console(mut self, console: fn(&Arc<Store>) -> Box<dyn Console>) -> Self {
        self.board.console = Some(console);
        self
    }

    /// Adds file formats for games: those that can be written, and how files and pasted texts are read.
    #[must_use]
    pub fn game_files(
        mut self,
        formats: &'static [GameFormat<Referee<P>>],
        reader: GameReader,
        text_reader: TextReader,
    ) -> Self {
        self.board.formats = formats;
        (self.board.game_reader, self.board.text_reader) = (Some(reader), Some(text_reader));
        self
    }

    /// Says when a seat can still win, which it does when the other's time runs out.
    #[must_use]
    pub fn can_win(mut self, can_win: fn(&PositionHistory<P>, Seat) -> bool) -> Self {
        self.board.can_win = Some(can_win);
        self
    }

    /// Says on which board a pasted position occurs.
    #[must_use]
    pub fn board_of(mut self, board_of: BoardOf<Referee<P>>) -> Self {
        self.board.board_of = Some(board_of);
        self
    }

    /// Draws boards for replays of tied matches.
    #[must_use]
    pub fn other_board(mut self, other_board: OtherBoard<Referee<P>>) -> Self {
        self.board.other_board = Some(other_board);
        self
    }

    /// Adds measurements of the game's own to `outplay bench`.
    #[must_use]
    pub fn bench(mut self, bench: Bench<Referee<P>>) -> Self {
        self.board.bench = Some(bench);
        self
    }

    /// Adds the exact solver of positions that `can_solve`, and if the whole game is one, the player `perfect`. `oracle` gives the
    /// exact values of all positions that can follow the one given; `counts` says what they rest on.
    #[must_use]
    pub fn solver<O: Oracle<P> + 'static>(
        mut self,
        has_ko: bool,
        can_solve: fn(&P) -> bool,
        oracle: impl Fn(&SolverRequest<'_, P>) -> Result<Arc<O>, WorkError> + Copy + Send + Sync + 'static,
        counts: fn(&O) -> Facts,
    ) -> Self {
        let solve =
            move |game: &Referee<P>, question: &Question<'_, Referee<P>>, store: &Store, watch: Watch<'_>| {
                let position = &question.state.now;
                let request = SolverRequest { game, position, no_ko: question.no_ko, store, watch };
                let solution = oracle(&request)?;
                Ok(exact_answer(&*solution, position, game.plies_left(question.state), counts(&solution)))
            };
        let can_solve_state = move |_: &Referee<P>, state: &PositionHistory<P>| can_solve(&state.now);
        self.board.solver =
            Some(SolverDef { can_solve: Box::new(can_solve_state), solve: Box::new(solve), has_ko });
        if !can_solve(&self.board.game.start) {
            return self;
        }
        self.players.push(perfect_player(move |request| {
            let (game, store, watch) = (request.game, request.store, request.watch);
            oracle(&SolverRequest { game, position: &game.start, no_ko: false, store, watch })
        }));
        self
    }

    /// Adds the exact solver, and the player `perfect`, of a game so small that all its positions can be listed: together they have
    /// no more than so many moves. Positions that play cannot reach from the start must be refused when they are read.
    #[must_use]
    pub fn exhaustive_solver(self, most_moves: usize) -> Self {
        self.solver(
            false,
            |_| true,
            move |request| exhaustive_solution(request.position, most_moves, request.store, request.watch),
            exhaustive_counts,
        )
    }

    /// Adds the exact solver of a game in which no position comes back: positions that `can_solve` are searched to the end of the
    /// game. The evaluator orders the moves.
    #[must_use]
    pub fn solved_by_search<E: Evaluator<P> + Copy + Sync + 'static>(
        self,
        evaluator: E,
        can_solve: fn(&P) -> bool,
    ) -> Self {
        let prove = move |request: &SolverRequest<'_, P>| {
            let SolverRequest { position, store, watch, .. } = *request;
            if !can_solve(position) {
                return Err(SolverError::TooFar { position: position.write() }.into());
            }
            let name = format!("the search from {} of {}", position.write(), std::any::type_name::<P>());
            let task = "searching to the end of the game";
            store.solve(Solvable { name: &name, task, mebibytes: SEARCH_MEMORY, watch }, || {
                let search = ExactSearch::new(evaluator, SOLVER_TABLE);
                search.prove(position, watch.stop_flag()).then_some(search).ok_or(WorkError::Stopped)
            })
        };
        let counts = |search: &ExactSearch<P, E>| {
            Facts::from_iter([
                ("positions_visited".to_owned(), search.nodes().into()),
                ("positions_proven".to_owned(), search.proven().into()),
            ])
        };
        self.solver(false, can_solve, prove, counts)
    }

    /// The board with everything that was added.
    pub fn into_board(self) -> BoardDef<Referee<P>> {
        let Self { mut board, mut evaluators, last_evaluators, defaults, players, .. } = self;
        let even = EvaluatorDef::new("even", Text::new("knows nothing", "ne sait rien"), (), |_, ()| {
            Ok(Box::new(EvenEvaluator))
        });
        evaluators.push(Arc::new(even));
        evaluators.extend(last_evaluators);
        board.evaluators = evaluators.iter().map(|def| def.listing.clone()).collect();
        board.players = search_players(evaluators, &defaults);
        board.players.extend(players);
        board
    }

    /// The board as the command line and the studio see it.
    pub fn open(self, spec: Spec, store: Arc<Store>) -> Box<dyn AnyGame> {
        Box::new(TypedGame::new(spec, self.into_board(), store))
    }
}

impl<P: EditablePosition> OpenGame<P> {
    /// Adds the editor, with which positions are set up by hand.
    #[must_use]
    pub fn editor(mut self) -> Self {
        self.board.editor = Some(EditorDef::of_game());
        self
    }
}

impl<P: SelfPlayGame> OpenGame<P> {
    /// Adds everything that learns by self-play: the methods, the player `table`, and under this name the player that follows a
    /// trained network.
    #[must_use]
    pub fn self_play(mut self, name: &'static str) -> Self {
        self.board.methods.extend(self_play_methods());
        self.board.methods.push(zero_method());
        self.players.extend(self_play_players(name, &self.board.game.start));
        self.players.push(zero_player(&self.board.game.start));
        self.last_evaluators.push(Arc::new(zero_evaluator(&self.board.game.start)));
        self
    }
}

impl GameDef {
    /// A game without parameters.
    pub fn without_params<P: PositionNotation>(title: Text, make: fn() -> OpenGame<P>) -> Self {
        let OpenGame { name, summary, .. } = make();
        Self::new(name, title, summary, (), move |spec, (), store| Ok(make().open(spec, store)))
    }
}

/// What an exact solver is asked for.
pub struct SolverRequest<'a, P> {
    /// The game.
    pub game: &'a Referee<P>,
    /// The position whose value is wanted.
    pub position: &'a P,
    /// Leaves out the rule against repetition.
    pub no_ko: bool,
    /// The data directory.
    pub store: &'a Store,
    /// Shows progress and stops.
    pub watch: Watch<'a>,
}
