//! One table in memory: its game, its seats, and the actions on it.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use outplay_core::Seat;
use outplay_core::scene::Touch;
use outplay_lab::spec::Spec;
use outplay_lab::{AnyGame, Snapshot, Table};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::clocks::{RunningClock, TableClocks};
use super::document::{OpinionInfo, PlyInfo, SeatName, TableInfo, TableOutcome, TableSummary, ThinkingInfo};
use super::seated_player::SeatedPlayer;
use crate::clock;
use crate::refusal::{Code, Refusal};
use crate::socket::TopicMessage;
use crate::specs::HUMAN;

/// How a game begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameStart {
    /// The game as the request wrote it.
    pub(crate) game: String,
    /// The first position, if it is not the game's usual one.
    pub(crate) start: Option<String>,
    /// The seed of the set-up and of the players.
    pub(crate) seed: u64,
}

/// A table as it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTable {
    pub(crate) id: String,
    pub(crate) rev: u64,
    #[serde(flatten)]
    pub(crate) game_start: GameStart,
    pub(crate) seats: Vec<String>,
    pub(crate) moves: Vec<String>,
    /// Moves taken back, the next one last.
    pub(crate) undone: Vec<String>,
    pub(crate) resigned: Option<SeatName>,
    pub(crate) paused: bool,
    pub(crate) opinion: Option<OpinionInfo>,
    #[serde(flatten)]
    pub(crate) times: TableClocks,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// The side to move, for lists.
    pub(crate) to_move: Option<SeatName>,
    /// The winner and the outcome in words, for lists.
    pub(crate) ended: Option<(Option<SeatName>, String)>,
}

impl SavedTable {
    /// The table as lists show it.
    pub(super) fn summary(self) -> TableSummary {
        let reason = self.resigned.map(|_| "resigned").or_else(|| self.times.flagged.map(|_| "time"));
        TableSummary {
            name: name_of(&self.game_start.game),
            id: self.id,
            rev: self.rev,
            game: self.game_start.game,
            seats: self.seats,
            ply: self.moves.len(),
            to_move: self.to_move,
            outcome: self.ended.map(|(winner, words)| TableOutcome { winner, words, reason }),
            created: self.created,
            updated: self.updated,
        }
    }
}

/// The name of a game, without its parameters.
pub(crate) fn name_of(game: &str) -> String {
    game.split(':').next().unwrap_or_default().to_owned()
}

/// A table of the lab with these moves played.
pub(crate) fn replay(
    house: &dyn AnyGame,
    game_start: &GameStart,
    moves: &[String],
) -> Result<Box<dyn Table>, Refusal> {
    let mut table = house.table(game_start.start.as_deref(), game_start.seed)?;
    for (number, mv) in moves.iter().enumerate() {
        table.play(mv).map_err(|error| Refusal::refused(format!("move {}: {error}", number + 1)))?;
    }
    Ok(table)
}

/// The move that these touches mean, legal or not.
pub(crate) fn attempted(table: &dyn Table, touches: &[Touch]) -> Result<String, Refusal> {
    table.attempted_move(touches).ok_or_else(|| Refusal::refused("no move is made by touching this"))
}

/// A table in memory.
pub(crate) struct OpenTable {
    pub(crate) saved: SavedTable,
    pub(crate) house: Arc<dyn AnyGame>,
    pub(super) spec: Spec,
    board: Box<dyn Table>,
    /// How things stand, until the next move is played or taken back: asked often, and made only once.
    present: OnceCell<Snapshot>,
    /// Each seat's player, while it is not thinking.
    pub(super) players: [Option<SeatedPlayer>; 2],
    pub(super) thinking: Option<ThinkingPlayer>,
    pub(super) trouble: Option<String>,
    ticking: Option<RunningClock>,
    /// The task that ends the game when the time of the side to move is up.
    pub(super) alarm: Option<AbortHandle>,
    pub(crate) updates: watch::Sender<TopicMessage>,
}

/// A player that is thinking.
pub(super) struct ThinkingPlayer {
    /// A random number that identifies this request, so that a late answer to an earlier one is recognised.
    pub(super) number: u64,
    pub(super) player: String,
    pub(super) began: i64,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) so_far: Option<OpinionInfo>,
}

impl OpenTable {
    /// Sets the table up as it was saved.
    pub(super) fn set_up(
        mut saved: SavedTable,
        house: Arc<dyn AnyGame>,
        spec: Spec,
    ) -> Result<Self, Refusal> {
        let board = house.table(saved.game_start.start.as_deref(), saved.game_start.seed)?;
        let moves = std::mem::take(&mut saved.moves);
        let mut live = Self {
            saved,
            house,
            spec,
            board,
            present: OnceCell::new(),
            players: [None, None],
            thinking: None,
            trouble: None,
            ticking: None,
            alarm: None,
            updates: watch::channel(TopicMessage::default()).0,
        };
        for (number, mv) in moves.iter().enumerate() {
            live.push_move(mv)
                .map_err(|refusal| Refusal::refused(format!("move {}: {}", number + 1, refusal.message)))?;
        }
        Ok(live)
    }

    /// The state of the board.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        self.present.get_or_init(|| self.board.snapshot())
    }

    /// The game in a file format of the game's own.
    pub(crate) fn write_file(&self, format: &str) -> Option<String> {
        let result = self.outcome().map(|outcome| outcome.as_result());
        self.board.write_file(format, &self.saved.seats, result)
    }

    /// How the game ended: on the board, by resignation, or on time.
    pub(crate) fn outcome(&self) -> Option<TableOutcome> {
        let names = self.house.info().seat_names;
        if let Some(loser) = self.saved.resigned {
            return Some(TableOutcome::decided(Some(loser.other()), names, "resigned"));
        }
        if let Some(late) = self.saved.times.flagged {
            let winner = Some(late.other()).filter(|&seat| self.board.can_win(seat.into()));
            return Some(TableOutcome::decided(winner, names, "time"));
        }
        TableOutcome::of(self.snapshot())
    }

    /// The table as the page reads it.
    pub(crate) fn document(&self) -> TableInfo {
        let snapshot = self.snapshot();
        let outcome = self.outcome();
        let mut scene = snapshot.scene.clone();
        if outcome.is_some() {
            scene.gestures.clear();
        }
        let saved = &self.saved;
        let to_move = snapshot.to_move.into();
        TableInfo {
            id: saved.id.clone(),
            rev: saved.rev,
            game: saved.game_start.game.clone(),
            name: self.spec.name.clone(),
            seats: saved.seats.clone(),
            seat_names: self.house.info().seat_names,
            start: saved.game_start.start.clone(),
            ply: saved.moves.len(),
            to_move,
            redo: saved.undone.iter().rev().cloned().collect(),
            scene,
            outcome,
            thinking: self.thinking.as_ref().map(|thinking| ThinkingInfo {
                seat: to_move,
                player: thinking.player.clone(),
                began: thinking.began,
                so_far: thinking.so_far.clone(),
            }),
            paused: saved.paused,
            opinion: saved.opinion.clone(),
            trouble: self.trouble.clone(),
            facts: snapshot.facts.clone(),
            clocks: saved.times.clocks,
            control: saved.times.control,
            left: saved.times.left(),
            ticking: self.ticking.map(|ticking| ticking.moment),
            created: saved.created,
            updated: saved.updated,
            moves: saved.moves.clone(),
            position: snapshot.position.clone(),
        }
    }

    /// Every position of the game.
    pub(crate) fn plies(&self) -> Result<Vec<PlyInfo>, Refusal> {
        let mut table =
            self.house.table(self.saved.game_start.start.as_deref(), self.saved.game_start.seed)?;
        let mut plies = Vec::with_capacity(self.saved.moves.len() + 1);
        for ply in 0..=self.saved.moves.len() {
            let mv = ply.checked_sub(1).map(|before| &self.saved.moves[before]);
            if let Some(mv) = mv {
                table.play(mv)?;
            }
            let snapshot = table.snapshot();
            plies.push(PlyInfo {
                ply,
                to_move: snapshot.to_move.into(),
                mv: mv.cloned(),
                outcome: TableOutcome::of(&snapshot),
                facts: snapshot.facts,
                scene: snapshot.scene,
                position: snapshot.position,
            });
        }
        Ok(plies)
    }

    /// All moves, those taken back included.
    pub(crate) fn all_moves(&self) -> Vec<String> {
        self.saved.moves.iter().chain(self.saved.undone.iter().rev()).cloned().collect()
    }

    /// The side to move, unless the game is over.
    pub(super) fn side_to_move(&self) -> Option<Seat> {
        self.outcome().is_none().then(|| self.snapshot().to_move)
    }

    /// The seat to move and its player, if that is a program that should begin to think.
    pub(super) fn next_program(&self) -> Option<(Seat, &str)> {
        let seat = self.side_to_move()?;
        let player = self.saved.seats.get(seat.index())?;
        let waits = !self.saved.paused && self.thinking.is_none() && self.trouble.is_none();
        (waits && player != HUMAN).then_some((seat, player.as_str()))
    }

    fn is_human(&self, seat: Seat) -> bool {
        self.saved.seats.get(seat.index()).is_some_and(|player| player == HUMAN)
    }

    fn has_human(&self) -> bool {
        self.saved.seats.iter().any(|player| player == HUMAN)
    }

    /// Why touches are no legal move, if they are none.
    pub(crate) fn objection(&mut self, touches: &[Touch]) -> Option<String> {
        let played = attempted(&*self.board, touches).and_then(|mv| Ok(self.board.play(&mv)?));
        match played {
            Ok(_) => {
                self.board.undo();
                None
            }
            Err(refusal) => Some(refusal.message),
        }
    }

    /// Plays the move of touches, of a client that saw the position after `ply` moves.
    pub(super) fn play_touches(&mut self, touches: &[Touch], ply: usize) -> Result<(), Refusal> {
        let mv = attempted(&*self.board, touches)?;
        self.play(&mv, ply)
    }

    /// Plays a move of a client that saw the position after `ply` moves.
    pub(super) fn play(&mut self, mv: &str, ply: usize) -> Result<(), Refusal> {
        if ply != self.saved.moves.len() {
            return Err(Refusal::new(
                Code::Stale,
                format!(
                    "the table is at ply {}, not {ply}: expected the present position",
                    self.saved.moves.len()
                ),
            ));
        }
        if self.saved.resigned.is_some() {
            return Err(Refusal::refused(format!("the move '{mv}' cannot be played: the game was given up")));
        }
        if self.saved.times.flagged.is_some() {
            return Err(Refusal::refused(format!("the move '{mv}' cannot be played: the time was up")));
        }
        if let Some(seat) = self.side_to_move()
            && !self.is_human(seat)
            && !self.saved.paused
        {
            let player = &self.saved.seats[seat.index()];
            return Err(Refusal::refused(format!(
                "it is the turn of {player}: stop it to move in its place"
            )));
        }
        self.make(mv)?;
        self.saved.paused = false;
        Ok(())
    }

    /// Plays a move and adds the increment.
    pub(super) fn make(&mut self, mv: &str) -> Result<(), Refusal> {
        let mover = self.snapshot().to_move;
        self.advance(mv)?;
        self.saved.times.add_increment(mover);
        Ok(())
    }

    /// Plays a move; the moves taken back are kept if it is the first of them, else forgotten.
    fn advance(&mut self, mv: &str) -> Result<(), Refusal> {
        let next = self.saved.undone.pop();
        match self.push_move(mv) {
            Ok(()) if next.as_ref() == self.saved.moves.last() => {}
            Ok(()) => self.saved.undone.clear(),
            Err(refusal) => {
                self.saved.undone.extend(next);
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn push_move(&mut self, mv: &str) -> Result<(), Refusal> {
        let played = self.board.play(mv)?;
        self.present.take();
        self.saved.moves.push(played.mv);
        self.trouble = None;
        Ok(())
    }

    fn take_back(&mut self) {
        if self.board.undo() {
            self.present.take();
            self.saved.undone.extend(self.saved.moves.pop());
        }
    }

    /// Takes moves back until a human is to move; without a human, one ply, and pauses.
    pub(super) fn undo(&mut self) -> Result<(), Refusal> {
        self.cancel_thinking();
        self.saved.times.clear_flag();
        if self.saved.resigned.take().is_some() {
            return Ok(());
        }
        if self.saved.moves.is_empty() {
            return Err(Refusal::refused("there is no move to take back"));
        }
        self.take_back();
        while !self.is_human(self.snapshot().to_move) && self.has_human() && !self.saved.moves.is_empty() {
            self.take_back();
        }
        self.saved.paused = !self.is_human(self.snapshot().to_move);
        self.saved.opinion = None;
        Ok(())
    }

    /// Replays moves taken back until a human is to move; without a human, one ply.
    pub(super) fn redo(&mut self) -> Result<(), Refusal> {
        self.cancel_thinking();
        let Some(mv) = self.saved.undone.last().cloned() else {
            return Err(Refusal::refused("there is no move to play again"));
        };
        self.advance(&mv)?;
        while !self.is_human(self.snapshot().to_move)
            && self.has_human()
            && let Some(mv) = self.saved.undone.last().cloned()
        {
            self.advance(&mv)?;
        }
        self.saved.paused = !self.has_human();
        self.saved.opinion = None;
        Ok(())
    }

    /// Goes to the position after `ply` moves, played or taken back, and pauses.
    pub(super) fn go(&mut self, ply: usize) -> Result<(), Refusal> {
        let last = self.saved.moves.len() + self.saved.undone.len();
        if ply > last {
            return Err(Refusal::refused(format!("ply {ply} is not of this game: expected 0 to {last}")));
        }
        self.cancel_thinking();
        self.saved.resigned = None;
        self.saved.times.clear_flag();
        while self.saved.moves.len() > ply {
            self.take_back();
        }
        while self.saved.moves.len() < ply
            && let Some(mv) = self.saved.undone.last().cloned()
        {
            self.advance(&mv)?;
        }
        self.saved.paused = true;
        self.saved.opinion = None;
        Ok(())
    }

    /// Ends the pause.
    pub(super) fn resume(&mut self) {
        self.saved.paused = false;
        self.trouble = None;
    }

    /// Starts the clock of the side to move, if it should run. In a one-player game it starts with the first move.
    pub(super) fn start_clock(&mut self) {
        let stands = self.saved.paused
            || self.trouble.is_some()
            || (self.saved.seats.len() == 1 && self.saved.moves.is_empty());
        self.ticking = self.side_to_move().filter(|_| !stands).map(RunningClock::start);
    }

    /// Stops the running clock. True if the time was up, which ends the game.
    pub(super) fn stop_clock(&mut self) -> bool {
        if let Some(alarm) = self.alarm.take() {
            alarm.abort();
        }
        let Some(ticking) = self.ticking.take() else { return false };
        ticking.stop(&mut self.saved.times);
        let is_late = self.side_to_move().is_some_and(|seat| self.saved.times.flag_if_out(seat));
        if is_late {
            self.cancel_thinking();
        }
        is_late
    }

    /// After how long a program is asked for its move, and after how long the time of the side to move is up.
    pub(super) fn time_limits(&self) -> Option<(Duration, Duration)> {
        let (ticking, times) = (self.ticking?, &self.saved.times);
        Some((ticking.soft_limit(times)?, ticking.left(times)?))
    }

    /// Stops the player that is thinking; its move is not played.
    pub(super) fn cancel_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops the player that is thinking and pauses the table.
    pub(super) fn stop(&mut self) {
        self.cancel_thinking();
        self.saved.paused = true;
    }

    /// Asks the player that is thinking to move now.
    pub(super) fn hurry(&self) -> Result<(), Refusal> {
        let thinking = self.thinking.as_ref().ok_or_else(|| Refusal::refused("nobody is thinking"))?;
        thinking.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// A seat resigns: the one that was named, else the human's, else the side to move.
    pub(super) fn resign(&mut self, seat: Option<SeatName>) -> Result<(), Refusal> {
        let Some(mover) = self.side_to_move() else {
            return Err(Refusal::refused("there is nothing to give up: the game is over"));
        };
        let human = [mover, !mover].into_iter().find(|&seat| self.is_human(seat)).unwrap_or(mover);
        self.cancel_thinking();
        self.saved.resigned = Some(seat.unwrap_or_else(|| human.into()));
        Ok(())
    }

    /// Seats other players; the game goes on.
    pub(super) fn seat_players(&mut self, seats: Vec<String>) {
        self.cancel_thinking();
        self.saved.seats = seats;
        self.saved.paused = false;
        self.trouble = None;
    }

    /// Notes why the player to move could not play.
    pub(super) fn fail(&mut self, refusal: Refusal) {
        self.trouble = Some(refusal.message);
        self.saved.rev += 1;
    }

    /// Counts a change and updates what lists show.
    pub(super) fn mark_changed(&mut self) {
        let ended = self.outcome().map(|outcome| (outcome.winner, outcome.words));
        self.saved.rev += 1;
        self.saved.updated = clock::now();
        self.saved.to_move = Some(self.snapshot().to_move.into());
        self.saved.ended = ended;
    }
}
