//! One finished game as one line of JSON: the format, its reading and its check.
//!
//! Files are elsewhere (see `outplay_runtime::files`); positions between the moves are not stored, they follow from the moves.
//! A record is not trusted until it is replayed: [`GameRecord::replay`] plays every move by the rules and
//! checks the recorded length and outcome.

use std::path::PathBuf;

use outplay_core::{IllegalMove, MalformedPosition, MoveOf, Notation, Outcome, Seat, View, errors};
use serde::{Deserialize, Serialize};

use crate::matches::{GameOutcome, fingerprint, set_up};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The format of this record: [`GameRecord::FORMAT`].
    pub format: u32,
    /// The game as it is written on the command line, parameters included.
    pub game: String,
    /// The players as the user wrote them, by seat; one in a one-player game.
    pub players: Vec<String>,
    /// The seed of the match.
    pub seed: u64,
    /// The number of the game in the match, from 0.
    pub index: u64,
    /// The number from which the beginning was drawn; see [`set_up`].
    pub setup: u64,
    /// The position in which the game began, if not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// How many of the moves were drawn at random.
    pub random_plies: usize,
    /// All moves in the game's notation.
    pub moves: Vec<String>,
    /// `first`, `second` or `draw`.
    #[serde(with = "outcome_text")]
    pub outcome: Outcome,
    /// Why the loser gave the game up before its end, if that is how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// The number of moves.
    pub plies: usize,
}

/// What the games of one match have in common in their records.
#[derive(Clone, Copy, Debug)]
pub struct RecordHeader<'a> {
    /// The game as the user wrote it.
    pub game: &'a str,
    /// The players as the user wrote them, in that order.
    pub players: &'a [&'a str],
    /// The seed of the match.
    pub seed: u64,
}

impl RecordHeader<'_> {
    /// Whether a game is one of this match.
    pub fn covers(&self, record: &GameRecord) -> bool {
        let sits = |seat: usize, player: &&str| record.players.get(seat).is_some_and(|name| name == player);
        let all = 0..record.players.len();
        record.game == self.game
            && record.seed == self.seed
            && record.players.len() == self.players.len()
            && (all.clone().zip(self.players).all(|(seat, player)| sits(seat, player))
                || all.rev().zip(self.players).all(|(seat, player)| sits(seat, player)))
    }
}

/// Stores the games of a match, or of several matches in sequence.
pub trait RecordSink: Send {
    /// The stored games of a match that was interrupted, in order from the first. They are not played again. A sink may
    /// refuse the match, before any game of it is played.
    fn recall(&mut self, header: &RecordHeader<'_>) -> Result<Vec<GameRecord>, RecordError>;

    /// Stores a game. Called in order, as soon as the game counts.
    fn keep(&mut self, record: &GameRecord);
}

/// A closure receives the games and has none stored from before.
impl<F: FnMut(&GameRecord) + Send> RecordSink for F {
    fn recall(&mut self, _: &RecordHeader<'_>) -> Result<Vec<GameRecord>, RecordError> {
        Ok(Vec::new())
    }

    fn keep(&mut self, record: &GameRecord) {
        self(record);
    }
}

errors! {
    /// Why a record is not a valid game, or not one of the games that are to be played.
    pub enum RecordError {
        Played { path: PathBuf } =
            "{path} holds games of this contest: add --resume to go on with it, or name another file"
            | "{path} contient des parties de cette rencontre : ajoutez --resume pour la poursuivre, ou nommez un autre fichier",
        NotPlayed { path: PathBuf } =
            "{path} holds no game of this contest: leave out --resume to begin it"
            | "{path} ne contient aucune partie de cette rencontre : omettez --resume pour la commencer",
        /// A contest writes its games in order, and none twice.
        Order { path: PathBuf, found: u64, expected: u64 } =
            "{path} has game {found} of this contest where its game {expected} was expected: its lines are not those of one contest"
            | "{path} a la partie {found} de cette rencontre à la place de la partie {expected} : ses lignes ne sont pas celles d’une seule rencontre",
        /// It was written by another version of the program.
        Format { found: u32, expected: u32 } =
            "the record has format {found}, expected {expected}"
            | "la partie notée a le format {found}, attendu {expected}",
        Players { given: usize, expected: usize } =
            "the record names {given} players, but the game has {expected}"
            | "la partie notée nomme {given} joueurs, mais le jeu en a {expected}",
        Position { reason: MalformedPosition } =
            "the record begins in a position that cannot be read: {reason}"
            | "la partie notée commence dans une position qui ne peut être lue : {reason}",
        /// Moves count from 1.
        Move { number: usize, text: String, reason: IllegalMove } =
            "move {number} of the record, \"{text}\", cannot be played: {reason}"
            | "le coup {number} de la partie notée, « {text} », ne peut être joué : {reason}",
        AfterTheEnd { number: usize, text: String } =
            "move {number} of the record, \"{text}\", comes after the end of the game"
            | "le coup {number} de la partie notée, « {text} », vient après la fin",
        ForfeitAfterTheEnd =
            "the record says that the game was given up, but its moves lead to the end"
            | "la partie notée est dite abandonnée, mais ses coups vont jusqu’à la fin",
        Unfinished { plies: usize } =
            "the record stops after {plies} moves, but the game is not over"
            | "la partie notée s’arrête après {plies} coups, mais elle n’est pas finie",
        /// The outcomes are those of the file: `first`, `second` or `draw`.
        Outcome { recorded: &'static str, replayed: &'static str } =
            "the record says {recorded}, but its moves lead to {replayed}"
            | "la partie notée dit {recorded}, mais ses coups mènent à {replayed}",
        Counts { plies: usize, random_plies: usize, moves: usize } =
            "the record says {plies} plies, {random_plies} of them random, but has {moves} moves"
            | "la partie notée dit {plies} coups, dont {random_plies} au hasard, mais en a {moves}",
    }
}

impl From<MalformedPosition> for RecordError {
    fn from(reason: MalformedPosition) -> Self {
        Self::Position { reason }
    }
}

/// The moves of a game from any source: it may be unfinished, or have ended by resignation or agreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTranscript {
    /// The game as it is written on the command line, parameters included.
    pub game: String,
    /// The players by seat, by whatever names they have.
    pub players: Vec<String>,
    /// The number from which the beginning was drawn; see [`set_up`].
    pub setup: u64,
    /// The position in which the game began, if not the game's own.
    pub position: Option<String>,
    /// How many of the moves were drawn at random.
    pub random_plies: usize,
    /// All moves in the game's notation.
    pub moves: Vec<String>,
}

impl From<GameRecord> for GameTranscript {
    fn from(record: GameRecord) -> Self {
        let GameRecord { game, players, setup, position, random_plies, moves, .. } = record;
        Self { game, players, setup, position, random_plies, moves }
    }
}

impl GameTranscript {
    /// Plays the moves through.
    pub fn replay<G: Notation>(&self, game: &G) -> Result<Replay<G::State, MoveOf<G>>, RecordError> {
        let (plies, random_plies) = (self.moves.len(), self.random_plies);
        if random_plies > plies {
            return Err(RecordError::Counts { plies, random_plies, moves: plies });
        }
        play_through(game, self.position.as_deref(), self.setup, &self.moves)
    }
}

/// A record whose moves were replayed.
#[derive(Clone, Debug)]
pub struct Replay<S, M> {
    /// Every state from the beginning to the end: one more than there are moves.
    pub states: Vec<S>,
    /// The moves.
    pub moves: Vec<M>,
}

impl GameRecord {
    /// The format that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// Writes down a game of a match.
    pub fn from_outcome<G: Notation>(
        game: &G,
        header: &RecordHeader<'_>,
        played: &GameOutcome<MoveOf<G>>,
    ) -> Self {
        let mut state = set_up(game, played.setup);
        let mut moves = Vec::with_capacity(played.plies());
        for &mv in &played.moves {
            moves.push(game.write_move(&state, mv));
            game.play(&mut state, mv);
        }
        let mut record = Self {
            index: played.index,
            setup: played.setup,
            random_plies: played.opening_plies,
            forfeit: played.forfeit.clone(),
            ..Self::new(header, moves, played.outcome)
        };
        if played.first_named == Seat::Second {
            record.players.reverse();
        }
        record
    }

    /// Writes down the game at a table that began in this position, if not in the game's own; nothing while it is
    /// unfinished.
    pub fn from_table(
        header: &RecordHeader<'_>,
        position: Option<&str>,
        moves: &[String],
        outcome: Option<Outcome>,
    ) -> Option<Self> {
        let position = position.map(ToOwned::to_owned);
        outcome.map(|outcome| Self { position, ..Self::new(header, moves.to_vec(), outcome) })
    }

    /// The first game of a match, with the players seated in the order in which they were named.
    fn new(header: &RecordHeader<'_>, moves: Vec<String>, outcome: Outcome) -> Self {
        Self {
            format: Self::FORMAT,
            game: header.game.to_owned(),
            players: header.players.iter().map(ToString::to_string).collect(),
            seed: header.seed,
            index: 0,
            setup: header.seed,
            position: None,
            random_plies: 0,
            forfeit: None,
            plies: moves.len(),
            moves,
            outcome,
        }
    }

    /// Plays the record through, move by move, and checks that it ends as it says.
    pub fn replay<G: Notation>(&self, game: &G) -> Result<Replay<G::State, MoveOf<G>>, RecordError> {
        self.check_form(game)?;
        let replay = play_through(game, self.position.as_deref(), self.setup, &self.moves)?;
        let last = replay.states.last().expect("a replay has a state");
        let end = match (game.outcome(last), &self.forfeit) {
            (None, Some(_)) => Some(Outcome::Win(!game.view(last).seat())),
            (Some(_), Some(_)) => return Err(RecordError::ForfeitAfterTheEnd),
            (end, None) => end,
        };
        match end {
            None => Err(RecordError::Unfinished { plies: self.plies }),
            Some(replayed) if replayed != self.outcome => Err(RecordError::Outcome {
                recorded: outcome_text::of(self.outcome),
                replayed: outcome_text::of(replayed),
            }),
            Some(_) => Ok(replay),
        }
    }

    /// The record, replayed, as a game of a match in which the first-named player has this seat.
    pub fn to_outcome<G: Notation>(
        &self,
        game: &G,
        first_named: Seat,
    ) -> Result<GameOutcome<MoveOf<G>>, RecordError> {
        let Replay { states, moves } = self.replay(game)?;
        let end = states.last().expect("a replay has a state");
        let fingerprint = fingerprint(game, end, &moves, self.outcome);
        Ok(GameOutcome {
            index: self.index,
            setup: self.setup,
            first_named,
            opening_plies: self.random_plies,
            moves,
            outcome: self.outcome,
            forfeit: self.forfeit.clone(),
            fingerprint,
        })
    }

    /// Replays the record; records of identical games have the same fingerprint.
    pub fn fingerprint<G: Notation>(&self, game: &G) -> Result<u64, RecordError> {
        self.to_outcome(game, Seat::First).map(|played| played.fingerprint)
    }

    fn check_form<G: Notation>(&self, game: &G) -> Result<(), RecordError> {
        if self.format != Self::FORMAT {
            return Err(RecordError::Format { found: self.format, expected: Self::FORMAT });
        }
        if self.players.len() != game.seats() {
            return Err(RecordError::Players { given: self.players.len(), expected: game.seats() });
        }
        let (plies, random_plies, moves) = (self.plies, self.random_plies, self.moves.len());
        if plies != moves || random_plies > moves {
            return Err(RecordError::Counts { plies, random_plies, moves });
        }
        Ok(())
    }
}

/// Plays every move by the rules of the game.
fn play_through<G: Notation>(
    game: &G,
    position: Option<&str>,
    setup: u64,
    written: &[String],
) -> Result<Replay<G::State, MoveOf<G>>, RecordError> {
    let mut state = begin(game, position, setup)?;
    let (mut states, mut moves) = (vec![state.clone()], Vec::new());
    for (text, number) in written.iter().zip(1..) {
        if game.outcome(&state).is_some() {
            return Err(RecordError::AfterTheEnd { number, text: text.clone() });
        }
        let illegal = |reason| RecordError::Move { number, text: text.clone(), reason };
        let mv = game.read_move(&state, text).map_err(illegal)?;
        game.play(&mut state, mv);
        moves.push(mv);
        states.push(state.clone());
    }
    Ok(Replay { states, moves })
}

/// The state in which a game begins: in the position, or else by the number of its set-up.
pub fn begin<G: Notation>(
    game: &G,
    position: Option<&str>,
    setup: u64,
) -> Result<G::State, MalformedPosition> {
    Ok(match position {
        Some(text) => game.read_position(text)?,
        None => set_up(game, setup),
    })
}

/// Outcomes as words.
mod outcome_text {
    use outplay_core::{Outcome, Seat};
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) const fn of(outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win(Seat::First) => "first",
            Outcome::Win(Seat::Second) => "second",
            Outcome::Draw => "draw",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(of(*outcome))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let text = String::deserialize(from)?;
        [Outcome::Win(Seat::First), Outcome::Win(Seat::Second), Outcome::Draw]
            .into_iter()
            .find(|&outcome| of(outcome) == text)
            .ok_or_else(|| de::Error::unknown_variant(&text, &["first", "second", "draw"]))
    }
}
