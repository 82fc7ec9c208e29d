//! The JSON shapes of tables, as `docs/protocol.md` describes them.

use outplay_core::scene::{Mark, Scene, Touch};
use outplay_core::{Seat, Text};
use outplay_lab::registry::Facts;
use outplay_lab::{Opinion, Snapshot};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clocks::TimeControl;
use crate::jobs::ProgressInfo;
use crate::schemas::FactsSchema;

/// A seat by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatName {
    First,
    Second,
}

impl From<Seat> for SeatName {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::First => Self::First,
            Seat::Second => Self::Second,
        }
    }
}

impl From<SeatName> for Seat {
    fn from(seat: SeatName) -> Self {
        match seat {
            SeatName::First => Self::First,
            SeatName::Second => Self::Second,
        }
    }
}

impl SeatName {
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Outcome)]
pub(crate) struct TableOutcome {
    /// `None` after a draw.
    #[schema(required = true)]
    pub(crate) winner: Option<SeatName>,
    /// In words, for people.
    pub(crate) words: Text,
    /// Why it ended, where the board does not show it.
    #[schema(required = true)]
    pub(crate) reason: Option<&'static str>,
}

impl TableOutcome {
    /// The outcome that the position shows.
    pub(crate) fn of(snapshot: &Snapshot, names: &[Text; 2]) -> Option<Self> {
        let winner = match snapshot.result? {
            outplay_core::Outcome::Win(seat) => Some(seat.into()),
            outplay_core::Outcome::Draw => None,
        };
        Some(Self::new(winner, names, None))
    }

    /// A game that was resigned or lost on time.
    pub(crate) fn decided(winner: Option<SeatName>, names: &[Text; 2], reason: &'static str) -> Self {
        Self::new(winner, names, Some(reason))
    }

    fn new(winner: Option<SeatName>, names: &[Text; 2], reason: Option<&'static str>) -> Self {
        let words = winner.map_or(Text::new("draw", "partie nulle"), |seat| {
            let Text { en, fr } = &names[seat.index()];
            Text { en: format!("{en} wins").into(), fr: format!("victoire : {fr}").into() }
        });
        Self { winner, words, reason }
    }

    /// The same as the type that games use.
    pub(crate) fn as_result(&self) -> outplay_core::Outcome {
        self.winner.map_or(outplay_core::Outcome::Draw, |seat| outplay_core::Outcome::Win(seat.into()))
    }
}

/// A player that is thinking.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ThinkingInfo {
    pub(crate) seat: SeatName,
    pub(crate) player: String,
    pub(crate) began: i64,
    /// How far it is with what it does before it can think, such as solving the game.
    #[schema(required = true)]
    pub(crate) preparation: Option<ProgressInfo>,
    /// What it thinks so far, once it has thought for a moment.
    #[schema(required = true)]
    pub(crate) so_far: Option<OpinionInfo>,
}

/// What a player says of a position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct OpinionInfo {
    /// The ply of the position, for an opinion at a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ply: Option<usize>,
    pub(crate) player: String,
    pub(crate) best: String,
    #[schema(required = true)]
    pub(crate) value: Option<f64>,
    pub(crate) candidates: Vec<CandidateInfo>,
    /// The cells that the best line leads through, in games whose moves do not name them.
    #[serde(default)]
    #[schema(required = true)]
    pub(crate) marks: Vec<Mark>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// A move under consideration.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct CandidateInfo {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// What a hand touches to play it; opinions saved by older versions have none.
    #[serde(default)]
    #[schema(required = true)]
    pub(crate) touches: Vec<Touch>,
    pub(crate) value: f64,
    #[schema(required = true)]
    pub(crate) certain: Option<String>,
    pub(crate) weight: f64,
    pub(crate) line: Vec<String>,
}

impl OpinionInfo {
    /// The opinion of a player on a position.
    pub(crate) fn of(player: &str, opinion: Opinion) -> Self {
        let candidate = |candidate: outplay_lab::CandidateText| CandidateInfo {
            mv: candidate.mv,
            touches: candidate.touches,
            value: candidate.value,
            certain: candidate.certain,
            weight: candidate.weight,
            line: candidate.line,
        };
        Self {
            ply: None,
            player: player.to_owned(),
            best: opinion.best,
            value: opinion.value,
            candidates: opinion.candidates.into_iter().map(candidate).collect(),
            marks: opinion.marks,
            depth: opinion.depth,
            nodes: opinion.nodes,
            seconds: opinion.seconds,
        }
    }
}

/// A table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableInfo {
    pub(crate) id: String,
    pub(crate) rev: u64,
    pub(crate) game: String,
    pub(crate) name: String,
    pub(crate) seats: Vec<String>,
    pub(crate) seat_names: [Text; 2],
    #[schema(required = true)]
    pub(crate) start: Option<String>,
    pub(crate) position: String,
    pub(crate) scene: Scene,
    pub(crate) ply: usize,
    pub(crate) to_move: SeatName,
    pub(crate) moves: Vec<String>,
    pub(crate) redo: Vec<String>,
    #[schema(required = true)]
    pub(crate) outcome: Option<TableOutcome>,
    #[schema(required = true)]
    pub(crate) thinking: Option<ThinkingInfo>,
    pub(crate) paused: bool,
    #[schema(required = true)]
    pub(crate) opinion: Option<OpinionInfo>,
    #[schema(required = true)]
    pub(crate) trouble: Option<Text>,
    #[schema(value_type = FactsSchema)]
    pub(crate) facts: Facts,
    /// Seconds used by each seat.
    pub(crate) clocks: [f64; 2],
    #[schema(required = true)]
    pub(crate) control: Option<TimeControl>,
    /// Seconds left to each seat.
    #[schema(required = true)]
    pub(crate) left: Option<[f64; 2]>,
    /// Since when the clock of the side to move runs.
    #[schema(required = true)]
    pub(crate) ticking: Option<i64>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

/// A table in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableSummary {
    pub(crate) id: String,
    pub(crate) rev: u64,
    pub(crate) game: String,
    pub(crate) name: String,
    pub(crate) seats: Vec<String>,
    pub(crate) ply: usize,
    #[schema(required = true)]
    pub(crate) to_move: Option<SeatName>,
    #[schema(required = true)]
    pub(crate) outcome: Option<TableOutcome>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

/// One position of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlyInfo {
    pub(crate) ply: usize,
    pub(crate) position: String,
    pub(crate) scene: Scene,
    pub(crate) to_move: SeatName,
    #[serde(rename = "move")]
    #[schema(required = true)]
    pub(crate) mv: Option<String>,
    #[schema(required = true)]
    pub(crate) outcome: Option<TableOutcome>,
    #[schema(value_type = FactsSchema)]
    pub(crate) facts: Facts,
}
