//! One table in memory: its game, its seats, and the actions on it.

use outplay_runtime::WorkError;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use outplay_core::scene::Touch;
use outplay_core::{Seat, Text};
use outplay_lab::spec::Spec;
use outplay_lab::{AnyGame, Snapshot, Table};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::clocks::RunningClock;
use super::document::{OpinionInfo, PlyInfo, SeatName, TableInfo, TableOutcome, ThinkingInfo};
use super::errors::StudioTableError;
use super::saved_table::{SavedTable, attempted};
use super::seated_player::SeatedPlayer;
use crate::clock;
use crate::jobs::ProgressInfo;
use crate::refusal::Refusal;
use crate::socket::TopicMessage;
use crate::specs::HUMAN;

/// A table in memory.
pub(crate) struct OpenTable {
    pub(crate) saved: SavedTable,
    pub(crate) board: Arc<dyn AnyGame>,
    pub(super) spec: Spec,
    table: Box<dyn Table>,
    /// How things stand, until the next move is played or taken back: asked often, and made only once.
    present: OnceCell<Snapshot>,
    /// Each seat's player, while it is not thinking.
    pub(super) players: [Option<SeatedPlayer>; 2],
    pub(super) thinking: Option<ThinkingPlayer>,
    /// The player that a change has cancelled, until the change is saved.
    cancelled: Option<ThinkingPlayer>,
    pub(super) trouble: Option<Text>,
    /// Whether it was removed: its followers are sent nothing more.
    pub(super) is_removed: bool,
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
    pub(super) preparation: Option<ProgressInfo>,
    pub(super) so_far: Option<OpinionInfo>,
}

/// What a change may alter, as it was before.
pub(super) struct TableBackup {
    saved: SavedTable,
    trouble: Option<Text>,
    ticking: Option<RunningClock>,
}

impl OpenTable {
    /// Sets the table up as it was saved.
    pub(super) fn set_up(
        mut saved: SavedTable,
        board: Arc<dyn AnyGame>,
        spec: Spec,
    ) -> Result<Self, Refusal> {
        let table = board.table(saved.game_start.start.as_deref(), saved.game_start.seed)?;
        let moves = std::mem::take(&mut saved.moves);
        let mut live = Self {
            saved,
            board,
            spec,
            table,
            present: OnceCell::new(),
            players: [None, None],
            thinking: None,
            cancelled: None,
            trouble: None,
            is_removed: false,
            ticking: None,
            alarm: None,
            updates: watch::channel(TopicMessage::default()).0,
        };
        for (number, mv) in moves.iter().enumerate() {
            live.push_move(mv).map_err(|reason| StudioTableError::Move { number: number + 1, reason })?;
        }
        Ok(live)
    }

    /// The state of the board.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        self.present.get_or_init(|| self.table.snapshot())
    }

    /// The game in a file format of the game's own.
    pub(crate) fn write_file(&self, format: &str) -> Option<String> {
        let result = self.outcome().map(|outcome| outcome.as_result());
        self.table.write_file(format, &self.saved.seats, result)
    }

    /// How the game ended: on the board, by resignation, or on time.
    pub(crate) fn outcome(&self) -> Option<TableOutcome> {
        let names = &self.board.info().seat_names;
        if let Some(loser) = self.saved.resigned {
            return Some(TableOutcome::decided(Some(loser.other()), names, "resigned"));
        }
        if let Some(late) = self.saved.times.flagged {
            let winner = Some(late.other()).filter(|&seat| self.table.can_win(seat.into()));
            return Some(TableOutcome::decided(winner, names, "time"));
        }
        TableOutcome::of(self.snapshot(), names)
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
            seat_names: self.board.info().seat_names.clone(),
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
                preparation: thinking.preparation.clone(),
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
            self.board.table(self.saved.game_start.start.as_deref(), self.saved.game_start.seed)?;
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
                outcome: TableOutcome::of(&snapshot, &self.board.info().seat_names),
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
    pub(crate) fn objection(&mut self, touches: &[Touch]) -> Option<Text> {
        match self.try_touches(touches) {
            Ok(()) => None,
            Err(refusal) => Some(refusal.message),
        }
    }

    /// Refuses touches that are no legal move.
    fn try_touches(&mut self, touches: &[Touch]) -> Result<(), Refusal> {
        let mv = attempted(&*self.table, touches)?;
        self.table.play(&mv)?;
        self.table.undo();
        Ok(())
    }

    /// Plays the move of touches, of a client that saw the position after `ply` moves.
    pub(super) fn play_touches(&mut self, touches: &[Touch], ply: usize) -> Result<(), Refusal> {
        let mv = attempted(&*self.table, touches)?;
        self.play(&mv, ply)
    }

    /// Plays a move of a client that saw the position after `ply` moves.
    pub(super) fn play(&mut self, mv: &str, ply: usize) -> Result<(), Refusal> {
        if ply != self.saved.moves.len() {
            return Err(StudioTableError::Stale { at: self.saved.moves.len(), seen: ply }.into());
        }
        if self.saved.resigned.is_some() {
            return Err(StudioTableError::GivenUp { mv: mv.to_owned() }.into());
        }
        if self.saved.times.flagged.is_some() {
            return Err(StudioTableError::TimeWasUp { mv: mv.to_owned() }.into());
        }
        if let Some(seat) = self.side_to_move()
            && !self.is_human(seat)
            && !self.saved.paused
        {
            return Err(StudioTableError::Turn { player: self.saved.seats[seat.index()].clone() }.into());
        }
        self.make(mv)?;
        self.saved.paused = false;
        Ok(())
    }

    /// Plays a move and adds the increment.
    pub(super) fn make(&mut self, mv: &str) -> Result<(), WorkError> {
        let mover = self.snapshot().to_move;
        self.advance(mv)?;
        self.saved.times.add_increment(mover);
        Ok(())
    }

    /// Plays a move; the moves taken back are kept if it is the first of them, else forgotten.
    fn advance(&mut self, mv: &str) -> Result<(), WorkError> {
        let next = self.saved.undone.pop();
        match self.push_move(mv) {
            Ok(()) if next.as_ref() == self.saved.moves.last() => {}
            Ok(()) => self.saved.undone.clear(),
            Err(error) => {
                self.saved.undone.extend(next);
                return Err(error);
            }
        }
        Ok(())
    }

    fn push_move(&mut self, mv: &str) -> Result<(), WorkError> {
        let played = self.table.play(mv)?;
        self.present.take();
        self.saved.moves.push(played.mv);
        Ok(())
    }

    fn take_back(&mut self) {
        if self.table.undo() {
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
            return Err(StudioTableError::NothingToUndo.into());
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
            return Err(StudioTableError::NothingToRedo.into());
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
            return Err(StudioTableError::Ply { ply, last }.into());
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

    /// Forgets the player that is thinking; its move is not played. It is stopped when the change is saved.
    fn cancel_thinking(&mut self) {
        self.cancelled = self.thinking.take().or(self.cancelled.take());
    }

    /// Stops the player that was cancelled.
    pub(super) fn stop_cancelled(&mut self) {
        if let Some(thinking) = self.cancelled.take() {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops the player that is thinking and the alarm of the clock, because the table is removed or the studio closes.
    pub(super) fn close(&mut self) {
        self.cancel_thinking();
        self.stop_cancelled();
        if let Some(alarm) = self.alarm.take() {
            alarm.abort();
        }
    }

    /// Stops the player that is thinking and pauses the table.
    pub(super) fn stop(&mut self) {
        self.cancel_thinking();
        self.saved.paused = true;
    }

    /// Asks the player that is thinking to move now.
    pub(super) fn hurry(&self) -> Result<(), Refusal> {
        let thinking = self.thinking.as_ref().ok_or(StudioTableError::NobodyThinks)?;
        thinking.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// A seat resigns: the one that was named, else the human's, else the side to move.
    pub(super) fn resign(&mut self, seat: Option<SeatName>) -> Result<(), Refusal> {
        let Some(mover) = self.side_to_move() else {
            return Err(StudioTableError::NothingToResign.into());
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
    }

    /// Drops the players of a game that is over, and their memory. If moves are taken back, they are made anew.
    pub(super) fn unload_if_over(&mut self) {
        if self.outcome().is_some() {
            self.players.iter_mut().flatten().for_each(|seated| seated.unload_after(Duration::ZERO));
        }
    }

    /// Notes why the player to move could not play. Its clock stands, and the next change lets it try again.
    pub(super) fn fail(&mut self, refusal: Refusal) {
        if let Some(ticking) = self.ticking.take() {
            ticking.stop(&mut self.saved.times);
        }
        self.show_trouble(refusal);
    }

    pub(super) fn show_trouble(&mut self, refusal: Refusal) {
        self.trouble = Some(refusal.message);
        self.saved.rev += 1;
    }

    /// What [`Self::restore`] needs.
    pub(super) fn backup(&self) -> TableBackup {
        TableBackup { saved: self.saved.clone(), trouble: self.trouble.clone(), ticking: self.ticking }
    }

    /// Takes a change back that was not possible or could not be saved. The player that it has cancelled goes on thinking, and the clock
    /// has never stopped.
    pub(super) fn restore(&mut self, backup: TableBackup) {
        let TableBackup { saved, trouble, ticking } = backup;
        let common = self.saved.moves.iter().zip(&saved.moves).take_while(|(new, old)| new == old).count();
        for _ in common..self.saved.moves.len() {
            self.table.undo();
        }
        for mv in &saved.moves[common..] {
            self.table.play(mv).expect("it was played before");
        }
        self.present.take();
        (self.saved, self.trouble, self.ticking) = (saved, trouble, ticking);
        self.thinking = self.cancelled.take().or(self.thinking.take());
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
