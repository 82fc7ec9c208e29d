//! A table at which one game is played: what the command line and the studio talk to.
//!
//! Positions and moves cross this interface as texts in the game's notation, and boards as scenes.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::scene::{Draft, Mark, Palette, Scene, Touch};
use outplay_core::{
    Candidate, ForcedResult, ForeignWords, MoveOf, Notation, Outcome, Player, Rng, Seat, Text, Thought, Turn,
    View, errors, serialize_english,
};
use serde::{Serialize, Serializer};

use crate::registry::{BoardDef, Facts, PlayedGame, Survey};
use crate::review::opinion::JudgeError;
use crate::store::Store;
use outplay_runtime::Watch;

/// One game in progress.
pub trait Table: Send {
    /// How things stand.
    fn snapshot(&self) -> Snapshot;

    /// What is known of the position without asking any player.
    fn survey(&self) -> Result<Survey, WorkError>;

    /// Whose turn it is.
    fn to_move(&self) -> Seat;

    /// The legal moves, empty once the game is over.
    fn legal(&self) -> Vec<String>;

    /// Plays the move in the text.
    fn play(&mut self, text: &str) -> Result<PlayedMove, WorkError>;

    /// The text of the move that these touches would mean, legal or not; `None` where they mean no move at all.
    fn attempted_move(&self, touches: &[Touch]) -> Option<String>;

    /// What the position editor offers on this board; `None` if the game has no editor.
    fn palette(&self) -> Option<Palette>;

    /// The position as the editor shows it; `None` if the game has no editor.
    fn draft(&self) -> Option<Draft>;

    /// Whether the position can be solved exactly.
    fn can_solve(&self) -> bool;

    /// Whether a seat can still win, which it does when the other's time runs out.
    fn can_win(&self, seat: Seat) -> bool;

    /// The game so far in a file format of the game's own, with who played and how it ended; `None` if it cannot be written so.
    fn write_file(&self, format: &str, players: &[String], result: Option<Outcome>) -> Option<String>;

    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;

    /// Puts a player in a seat, as a newcomer to the game. Making it may take long: an exact solution has to be found first.
    fn seat(&mut self, seat: Seat, player: &str, watch: Watch<'_>) -> Result<(), WorkError>;

    /// Lets the player in a seat go, with all that it remembers.
    fn leave(&mut self, seat: Seat);

    /// What the player in the seat to move would play.
    fn think(&mut self, watch: Watch<'_>, listener: Listener<'_>) -> Result<Opinion, WorkError>;

    /// What another player, called in for this position only, would play.
    fn advise(
        &mut self,
        player: &str,
        watch: Watch<'_>,
        listener: Listener<'_>,
    ) -> Result<Opinion, WorkError>;
}

errors! {
    /// Why nobody thinks at a table.
    pub enum TableError {
        Over =
            "there is nothing to think about: the game is over" | "il n’y a rien à réfléchir : la partie est finie",
        EmptySeat = "there is no player in the seat to move" | "il n’y a pas de joueur au siège qui a le trait",
    }
}

/// Who hears what a player thinks so far, while it thinks; or nobody.
pub type Listener<'a> = Option<&'a mut dyn FnMut(Opinion)>;

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Its text.
    pub mv: String,
    /// The result, if the game is over now.
    pub outcome: Option<Outcome>,
}

/// How things stand at a table.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    /// The position, as a text from which play can go on.
    pub position: String,
    /// The board, the last move marked. Programs that read the command line's JSON get it as text.
    #[serde(rename = "picture", serialize_with = "as_text")]
    pub scene: Scene,
    /// Whose turn it is.
    #[serde(skip)]
    pub to_move: Seat,
    /// What the game calls that seat.
    #[serde(serialize_with = "serialize_english")]
    pub to_move_name: Text,
    /// The moves played so far.
    pub moves: Vec<String>,
    /// The result in words, once there is one.
    pub outcome: Option<String>,
    /// The result itself.
    #[serde(skip)]
    pub result: Option<Outcome>,
    /// What else the game has to say.
    #[serde(flatten)]
    pub facts: Facts,
}

impl Snapshot {
    /// How things stand in this state after these moves.
    pub(crate) fn of<G: Notation>(
        board: &BoardDef<G>,
        state: &G::State,
        last: Option<MoveOf<G>>,
        moves: Vec<String>,
    ) -> Self {
        let game = &board.game;
        let to_move = game.view(state).seat();
        let result = game.outcome(state);
        Self {
            position: game.write_position(state),
            scene: game.scene(state, last),
            to_move,
            to_move_name: game.seat_names()[to_move.index()].clone(),
            moves,
            outcome: result.map(|outcome| outcome_text(game, outcome)),
            result,
            facts: board.facts.map_or_else(Facts::new, |facts| facts(game, state)),
        }
    }
}

fn as_text<S: Serializer>(scene: &Scene, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&scene.to_text())
}

/// What a player says of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Opinion {
    /// The move it would play.
    pub best: String,
    /// The share of points it expects, from 0 to 1, for the side to move.
    pub value: Option<f64>,
    /// Moves considered, best first.
    pub candidates: Vec<CandidateText>,
    /// The cells that the best line leads through, in games whose moves do not name them.
    #[serde(skip)]
    pub marks: Vec<Mark>,
    /// How far it looked.
    pub depth: u32,
    /// Positions visited or simulations made.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
}

/// One move under consideration.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateText {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What a hand touches to play it.
    #[serde(skip)]
    pub touches: Vec<Touch>,
    /// The share of points expected from it.
    pub value: f64,
    /// A certain result, such as `win in 5`.
    pub certain: Option<String>,
    /// The share of attention it got.
    pub weight: f64,
    /// The expected continuation, beginning with the move itself.
    pub line: Vec<String>,
}

/// The table of any game.
pub(crate) struct LiveTable<G: Notation> {
    board: Arc<BoardDef<G>>,
    states: Vec<G::State>,
    played: Vec<MoveOf<G>>,
    moves: Vec<String>,
    seats: [Option<Box<dyn Player<G::View>>>; 2],
    rng: Rng,
    store: Arc<Store>,
}

impl<G: Notation> LiveTable<G> {
    pub(crate) fn new(board: Arc<BoardDef<G>>, state: G::State, seed: u64, store: Arc<Store>) -> Self {
        let seats = [None, None];
        let (states, played, moves) = (vec![state], Vec::new(), Vec::new());
        Self { board, states, played, moves, seats, rng: Rng::new(seed), store }
    }

    fn make_player(&self, player: &str, watch: Watch<'_>) -> Result<Box<dyn Player<G::View>>, WorkError> {
        Ok(self.board.make_player(player, &self.store, watch)?())
    }

    fn now(&self) -> &G::State {
        self.states.last().expect("a table has a state")
    }

    fn ask(
        &mut self,
        player: &mut dyn Player<G::View>,
        watch: Watch<'_>,
        mut listener: Listener<'_>,
    ) -> Result<Opinion, WorkError> {
        let (game, state) = (&self.board.game, self.states.last().expect("a table has a state"));
        if game.outcome(state).is_some() {
            return Err(TableError::Over.into());
        }
        let mut conclusion = None;
        let mut watcher = |thought: Thought<MoveOf<G>>| {
            if let (Some(hear), Some(first)) = (&mut listener, thought.candidates.first()) {
                hear(opinion(game, state, first.mv, Some(&thought)));
            }
            conclusion = Some(thought);
        };
        let mut turn =
            Turn::at(game, state, &mut self.rng).stoppable(watch.stop_flag()).watched(&mut watcher);
        let best = player.choose(game.view(state), &mut turn);
        if let Some(reason) = turn.forfeited() {
            return Err(JudgeError::GaveUp { reason: ForeignWords::of(&reason) }.into());
        }
        Ok(opinion(game, state, best, conclusion.as_ref()))
    }
}

impl<G: Notation> Table for LiveTable<G> {
    fn survey(&self) -> Result<Survey, WorkError> {
        self.board.survey.map_or_else(|| Ok(Survey::default()), |survey| survey(&self.board.game, self.now()))
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.board, self.now(), self.played.last().copied(), self.moves.clone())
    }

    fn to_move(&self) -> Seat {
        self.board.game.view(self.now()).seat()
    }

    fn legal(&self) -> Vec<String> {
        let state = self.now();
        if self.board.game.outcome(state).is_some() {
            return Vec::new();
        }
        self.board
            .game
            .view(state)
            .moves()
            .into_iter()
            .map(|mv| self.board.game.write_move(state, mv))
            .collect()
    }

    fn play(&mut self, text: &str) -> Result<PlayedMove, WorkError> {
        let game = &self.board.game;
        let mv = game.read_move(self.now(), text)?;
        let mut next = self.now().clone();
        let written = game.write_move(&next, mv);
        game.play(&mut next, mv);
        let outcome = game.outcome(&next);
        self.moves.push(written.clone());
        self.played.push(mv);
        self.states.push(next);
        Ok(PlayedMove { mv: written, outcome })
    }

    fn attempted_move(&self, touches: &[Touch]) -> Option<String> {
        self.board.game.attempted_move(self.now(), touches)
    }

    fn palette(&self) -> Option<Palette> {
        self.board.editor.map(|editor| (editor.palette)(&self.board.game))
    }

    fn draft(&self) -> Option<Draft> {
        self.board.editor.map(|editor| (editor.draft)(&self.board.game, self.now()))
    }

    fn can_solve(&self) -> bool {
        self.board.game.outcome(self.now()).is_none() && self.board.can_solve(self.now())
    }

    fn can_win(&self, seat: Seat) -> bool {
        self.board.can_win.is_none_or(|can_win| can_win(self.now(), seat))
    }

    fn write_file(&self, format: &str, players: &[String], result: Option<Outcome>) -> Option<String> {
        let format = self.board.formats.iter().find(|known| known.info.name == format)?;
        (format.write)(&PlayedGame { states: &self.states, moves: &self.played, players, result })
    }

    fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        self.states.pop();
        self.played.pop();
        true
    }

    fn seat(&mut self, seat: Seat, player: &str, watch: Watch<'_>) -> Result<(), WorkError> {
        let mut player = self.make_player(player, watch)?;
        player.new_game(seat);
        self.seats[seat.index()] = Some(player);
        Ok(())
    }

    fn leave(&mut self, seat: Seat) {
        self.seats[seat.index()] = None;
    }

    fn think(&mut self, watch: Watch<'_>, listener: Listener<'_>) -> Result<Opinion, WorkError> {
        let seat = self.board.game.view(self.now()).seat();
        let Some(mut player) = self.seats[seat.index()].take() else {
            return Err(TableError::EmptySeat.into());
        };
        let opinion = self.ask(&mut *player, watch, listener);
        self.seats[seat.index()] = Some(player);
        opinion
    }

    fn advise(
        &mut self,
        player: &str,
        watch: Watch<'_>,
        listener: Listener<'_>,
    ) -> Result<Opinion, WorkError> {
        let mut adviser = self.make_player(player, watch)?;
        adviser.new_game(self.board.game.view(self.now()).seat());
        self.ask(&mut *adviser, watch, listener)
    }
}

fn opinion<G: Notation>(
    game: &G,
    state: &G::State,
    best: MoveOf<G>,
    conclusion: Option<&Thought<MoveOf<G>>>,
) -> Opinion {
    let best_text = game.write_move(state, best);
    let Some(thought) = conclusion else {
        let (candidates, marks) = (Vec::new(), Vec::new());
        return Opinion { best: best_text, value: None, candidates, marks, depth: 0, nodes: 0, seconds: 0.0 };
    };
    let chosen = thought.candidates.iter().find(|candidate| candidate.mv == best);
    Opinion {
        best: best_text,
        value: chosen.map(|candidate| candidate.value),
        candidates: thought
            .candidates
            .iter()
            .map(|candidate| candidate_text(game, state, candidate))
            .collect(),
        marks: chosen.map_or_else(Vec::new, |candidate| game.trace(state, &candidate.line)),
        depth: thought.depth,
        nodes: thought.nodes,
        seconds: thought.elapsed.as_secs_f64(),
    }
}

fn candidate_text<G: Notation>(
    game: &G,
    state: &G::State,
    candidate: &Candidate<MoveOf<G>>,
) -> CandidateText {
    let certain =
        candidate.score.and_then(outplay_core::Score::forced_result).map(|forecast| match forecast {
            ForcedResult::Win(plies) => format!("win in {plies}"),
            ForcedResult::Loss(plies) => format!("loss in {plies}"),
        });
    let mut now = state.clone();
    let mut line = Vec::new();
    // The last move is written and not played: where there are thousands of candidates, that would take long.
    for (place, &mv) in candidate.line.iter().enumerate() {
        if place > 0 {
            game.play(&mut now, candidate.line[place - 1]);
            // What the player could not know may have upset its plan.
            if game.outcome(&now).is_some() || !game.view(&now).is_legal(mv) {
                break;
            }
        }
        line.push(game.write_move(&now, mv));
    }
    CandidateText {
        mv: game.write_move(state, candidate.mv),
        touches: game.touches(candidate.mv),
        value: candidate.value,
        certain,
        weight: candidate.weight,
        line,
    }
}

/// The result in words.
fn outcome_text<G: Notation>(game: &G, outcome: Outcome) -> String {
    match outcome {
        Outcome::Draw => "draw".to_owned(),
        Outcome::Win(Seat::First) if game.seats() == 1 => "won".to_owned(),
        Outcome::Win(Seat::Second) if game.seats() == 1 => "lost".to_owned(),
        Outcome::Win(seat) => format!("{} wins", game.seat_names()[seat.index()]),
    }
}
