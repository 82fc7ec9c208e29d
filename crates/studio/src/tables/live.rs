//! One table: its game, its seats, and what may be done at it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use outplay_core::Seat;
use outplay_lab::spec::Spec;
use outplay_lab::{AnyGame, Snapshot, Table};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::document::{OpinionInfo, Outcome, PlyInfo, SeatName, TableInfo, TableSummary, ThinkingInfo};
use super::mind::Mind;
use super::timing::{Ticking, Times};
use crate::clock;
use crate::dress::{self, Dress, Scene};
use crate::live::Payload;
use crate::refusal::{Code, Refusal};
use crate::terms::HUMAN;

/// Where a game begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Given {
    /// The game as it was written.
    pub(crate) game: String,
    /// The position, if not the game's own.
    pub(crate) start: Option<String>,
    /// The seed of its set-up and of the players' chance.
    pub(crate) seed: u64,
}

/// A table as it is remembered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) id: String,
    pub(crate) rev: u64,
    #[serde(flatten)]
    pub(crate) given: Given,
    pub(crate) seats: Vec<String>,
    pub(crate) moves: Vec<String>,
    /// Moves taken back, the next one last.
    pub(crate) undone: Vec<String>,
    pub(crate) resigned: Option<SeatName>,
    pub(crate) paused: bool,
    pub(crate) opinion: Option<OpinionInfo>,
    #[serde(flatten)]
    pub(crate) times: Times,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// What lists show of the position.
    pub(crate) to_move: Option<SeatName>,
    /// The winner, and the words.
    pub(crate) ended: Option<(Option<SeatName>, String)>,
}

impl Saved {
    /// The table in a list.
    pub(super) fn summary(self) -> TableSummary {
        let reason = self.resigned.map(|_| "resigned").or_else(|| self.times.flagged.map(|_| "time"));
        TableSummary {
            name: name_of(&self.given.game),
            id: self.id,
            rev: self.rev,
            game: self.given.game,
            seats: self.seats,
            ply: self.moves.len(),
            to_move: self.to_move,
            outcome: self.ended.map(|(winner, words)| Outcome { winner, words, reason }),
            created: self.created,
            updated: self.updated,
        }
    }
}

/// The first word of a game.
pub(crate) fn name_of(game: &str) -> String {
    game.split(':').next().unwrap_or_default().to_owned()
}

/// A table of the lab with these moves played.
pub(crate) fn replay(
    house: &dyn AnyGame,
    given: &Given,
    moves: &[String],
) -> Result<Box<dyn Table>, Refusal> {
    let mut table = house.table(given.start.as_deref(), given.seed)?;
    for (number, mv) in moves.iter().enumerate() {
        table.play(mv).map_err(|error| Refusal::refused(format!("move {}: {error}", number + 1)))?;
    }
    Ok(table)
}

/// A table in memory.
pub(crate) struct Live {
    pub(crate) saved: Saved,
    pub(crate) house: Arc<dyn AnyGame>,
    pub(super) spec: Spec,
    board: Box<dyn Table>,
    squares: Vec<String>,
    dress: &'static Dress,
    /// Of each seat's player, while it does not think.
    pub(super) minds: [Option<Mind>; 2],
    pub(super) thinking: Option<Thinking>,
    pub(super) trouble: Option<String>,
    ticking: Option<Ticking>,
    /// What rings when the time of whoever is to move is up.
    pub(super) alarm: Option<AbortHandle>,
    pub(crate) shown: watch::Sender<Payload>,
}

/// A player that is thinking.
pub(super) struct Thinking {
    /// No two are alike, so that a thought that comes too late is recognised.
    pub(super) number: u64,
    pub(super) player: String,
    pub(super) began: i64,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) so_far: Option<OpinionInfo>,
}

impl Live {
    /// Sets the table up as it was saved.
    pub(super) fn set_up(mut saved: Saved, house: Arc<dyn AnyGame>, spec: Spec) -> Result<Self, Refusal> {
        let dress = dress::of(&spec.name);
        let board = house.table(saved.given.start.as_deref(), saved.given.seed)?;
        let moves = std::mem::take(&mut saved.moves);
        let mut live = Self {
            saved,
            house,
            spec,
            board,
            squares: Vec::new(),
            dress,
            minds: [None, None],
            thinking: None,
            trouble: None,
            ticking: None,
            alarm: None,
            shown: watch::channel(Payload::default()).0,
        };
        for (number, mv) in moves.iter().enumerate() {
            live.play_on(mv)
                .map_err(|refusal| Refusal::refused(format!("move {}: {}", number + 1, refusal.message)))?;
        }
        Ok(live)
    }

    /// How things stand on the board.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.board.snapshot()
    }

    pub(crate) fn dress(&self) -> &'static Dress {
        self.dress
    }

    /// The position with how it came about.
    pub(crate) fn scene<'a>(&'a self, snapshot: &'a Snapshot) -> Scene<'a> {
        let start = self.saved.given.start.as_deref();
        Scene { spec: &self.spec, start, seats: &self.saved.seats, snapshot }
    }

    /// How the game ended: on the board, by giving up, or by the clock.
    pub(crate) fn outcome(&self, snapshot: &Snapshot) -> Option<Outcome> {
        let names = self.house.info().seat_names;
        if let Some(loser) = self.saved.resigned {
            return Some(Outcome::decided(Some(loser.other()), names, "resigned"));
        }
        if let Some(late) = self.saved.times.flagged {
            let winner = Some(late.other());
            let winner = winner.filter(|&seat| (self.dress.may_win)(&self.scene(snapshot), seat.into()));
            return Some(Outcome::decided(winner, names, "time"));
        }
        Outcome::of(snapshot)
    }

    /// All that is said of the table.
    pub(crate) fn document(&self) -> TableInfo {
        let snapshot = self.snapshot();
        let outcome = self.outcome(&snapshot);
        let scene = self.scene(&snapshot);
        let legal = if outcome.is_some() { Vec::new() } else { self.board.legal() };
        let saved = &self.saved;
        let to_move = snapshot.to_move.into();
        TableInfo {
            id: saved.id.clone(),
            rev: saved.rev,
            game: saved.given.game.clone(),
            name: self.spec.name.clone(),
            seats: saved.seats.clone(),
            seat_names: self.house.info().seat_names,
            start: saved.given.start.clone(),
            ply: saved.moves.len(),
            to_move,
            squares: self.dress.squares.map(|_| self.squares.clone()),
            redo: saved.undone.iter().rev().cloned().collect(),
            legal_squares: self.dress.squares.map(|squares| squares(&scene, &legal)),
            legal,
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
            facts: (self.dress.facts)(&scene),
            clocks: saved.times.clocks,
            control: saved.times.control,
            left: saved.times.left(),
            ticking: self.ticking.map(|ticking| ticking.moment),
            created: saved.created,
            updated: saved.updated,
            moves: saved.moves.clone(),
            position: snapshot.position,
        }
    }

    /// Every position of the game.
    pub(crate) fn plies(&self) -> Result<Vec<PlyInfo>, Refusal> {
        let mut table = self.house.table(self.saved.given.start.as_deref(), self.saved.given.seed)?;
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
                squares: ply.checked_sub(1).and_then(|before| self.squares.get(before).cloned()),
                outcome: Outcome::of(&snapshot),
                facts: (self.dress.facts)(&self.scene(&snapshot)),
                position: snapshot.position,
            });
        }
        Ok(plies)
    }

    /// All moves, those taken back included.
    pub(crate) fn line(&self) -> Vec<String> {
        self.saved.moves.iter().chain(self.saved.undone.iter().rev()).cloned().collect()
    }

    /// Whose turn it is, if the game goes on.
    pub(super) fn mover(&self) -> Option<Seat> {
        let snapshot = self.snapshot();
        self.outcome(&snapshot).is_none().then_some(snapshot.to_move)
    }

    /// The player who is to move now, if it is one that plays by itself.
    pub(super) fn waits_for(&self) -> Option<(Seat, &str)> {
        let seat = self.mover()?;
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

    /// Why a move cannot be played, if it cannot.
    pub(crate) fn objection(&mut self, mv: &str) -> Option<String> {
        match self.board.play(mv) {
            Ok(()) => {
                self.board.undo();
                None
            }
            Err(error) => Some(Refusal::from(error).message),
        }
    }

    /// Plays a move of someone who looked at the position after `ply` moves.
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
        if let Some(seat) = self.mover()
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

    /// Makes the move of whoever is to move.
    pub(super) fn make(&mut self, mv: &str) -> Result<(), Refusal> {
        let mover = self.snapshot().to_move;
        self.advance(mv)?;
        self.saved.times.reward(mover);
        Ok(())
    }

    /// Walks along a move, and keeps what was taken back if it follows it.
    fn advance(&mut self, mv: &str) -> Result<(), Refusal> {
        let next = self.saved.undone.pop();
        match self.play_on(mv) {
            Ok(()) if next.as_ref() == self.saved.moves.last() => {}
            Ok(()) => self.saved.undone.clear(),
            Err(refusal) => {
                self.saved.undone.extend(next);
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn play_on(&mut self, mv: &str) -> Result<(), Refusal> {
        let before = self.dress.squares.is_some().then(|| self.snapshot());
        self.board.play(mv)?;
        let written = self.board.snapshot().moves.pop().unwrap_or_default();
        if let (Some(squares), Some(before)) = (self.dress.squares, &before) {
            let found = squares(&self.scene(before), std::slice::from_ref(&written));
            self.squares.extend(found);
        }
        self.saved.moves.push(written);
        self.trouble = None;
        Ok(())
    }

    fn take_back(&mut self) {
        if self.board.undo() {
            self.saved.undone.extend(self.saved.moves.pop());
            self.squares.pop();
        }
    }

    /// Goes back to where a human is to move; without one, by a ply, and stays there.
    pub(super) fn undo(&mut self) -> Result<(), Refusal> {
        self.abandon();
        self.saved.times.forgive();
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

    /// Plays again what was taken back, to where a human is to move; without one, a ply.
    pub(super) fn redo(&mut self) -> Result<(), Refusal> {
        self.abandon();
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

    /// Goes to the position after so many moves, played or taken back, and stays there.
    pub(super) fn go(&mut self, ply: usize) -> Result<(), Refusal> {
        let last = self.saved.moves.len() + self.saved.undone.len();
        if ply > last {
            return Err(Refusal::refused(format!("ply {ply} is not of this game: expected 0 to {last}")));
        }
        self.abandon();
        self.saved.resigned = None;
        self.saved.times.forgive();
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

    /// Lets the players play on.
    pub(super) fn resume(&mut self) {
        self.saved.paused = false;
        self.trouble = None;
    }

    /// Lets the clock of whoever is to move run, if it should. Where one plays alone, it begins with the first move.
    pub(super) fn start_clock(&mut self) {
        let stands = self.saved.paused
            || self.trouble.is_some()
            || (self.saved.seats.len() == 1 && self.saved.moves.is_empty());
        self.ticking = self.mover().filter(|_| !stands).map(Ticking::start);
    }

    /// Stops the clock that runs; true if the time was up, which ends the game.
    pub(super) fn stop_clock(&mut self) -> bool {
        if let Some(alarm) = self.alarm.take() {
            alarm.abort();
        }
        let Some(ticking) = self.ticking.take() else { return false };
        ticking.stop(&mut self.saved.times);
        let is_late = self.mover().is_some_and(|seat| self.saved.times.fall(seat));
        if is_late {
            self.abandon();
        }
        is_late
    }

    /// After how long a program is asked for what it has, and after how long its or a person's time is up.
    pub(super) fn limits(&self) -> Option<(Duration, Duration)> {
        let (ticking, times) = (self.ticking?, &self.saved.times);
        Some((ticking.share(times)?, ticking.left(times)?))
    }

    /// Whoever thinks shall stop, and is not heard.
    pub(super) fn abandon(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whoever thinks shall stop, and nobody plays until someone says so.
    pub(super) fn halt(&mut self) {
        self.abandon();
        self.saved.paused = true;
    }

    /// Whoever thinks shall answer now.
    pub(super) fn hurry(&self) -> Result<(), Refusal> {
        let thinking = self.thinking.as_ref().ok_or_else(|| Refusal::refused("nobody is thinking"))?;
        thinking.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// A seat gives up: the one that was named, else the human's, else the mover's.
    pub(super) fn resign(&mut self, seat: Option<SeatName>) -> Result<(), Refusal> {
        let Some(mover) = self.mover() else {
            return Err(Refusal::refused("there is nothing to give up: the game is over"));
        };
        let human = [mover, !mover].into_iter().find(|&seat| self.is_human(seat)).unwrap_or(mover);
        self.abandon();
        self.saved.resigned = Some(seat.unwrap_or_else(|| human.into()));
        Ok(())
    }

    /// Other players sit down; the game goes on.
    pub(super) fn seat(&mut self, seats: Vec<String>) {
        self.abandon();
        self.saved.seats = seats;
        self.saved.paused = false;
        self.trouble = None;
    }

    /// The player to move could not play.
    pub(super) fn fail(&mut self, refusal: Refusal) {
        self.trouble = Some(refusal.message);
        self.saved.rev += 1;
    }

    /// Marks a change.
    pub(super) fn touch(&mut self) {
        let snapshot = self.snapshot();
        let ended = self.outcome(&snapshot).map(|outcome| (outcome.winner, outcome.words));
        self.saved.rev += 1;
        self.saved.updated = clock::now();
        self.saved.to_move = Some(snapshot.to_move.into());
        self.saved.ended = ended;
    }
}
