//! What a client can ask for as a job.

use outplay_core::Text;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::bounded_schemas::{EntrantsSchema, KnockoutSchema, SpecSchema, WideInputSchema};
use crate::json_u64::JsonU64;
use crate::schemas::ScaleSchema;

/// The work that a client can ask for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Request)]
pub(crate) enum JobRequest {
    /// Trains a network or a table of values.
    Training {
        #[schema(value_type = SpecSchema)]
        game: String,
        #[schema(value_type = SpecSchema)]
        method: String,
        #[serde(default)]
        #[schema(value_type = WideInputSchema)]
        seed: JsonU64,
    },
    /// Every player plays every other.
    Tournament {
        #[schema(value_type = SpecSchema)]
        game: String,
        #[schema(value_type = EntrantsSchema)]
        players: Vec<String>,
        /// Games of each pairing; a knock-out has its own numbers.
        #[serde(default)]
        games: u64,
        #[serde(default)]
        random_plies: u32,
        #[serde(default)]
        #[schema(value_type = WideInputSchema)]
        seed: JsonU64,
        /// Places in a final that follows, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<KnockoutSchema>)]
        knockout: Option<u32>,
    },
    /// Measures a model, by measures of its game's own.
    Evaluation {
        #[schema(value_type = SpecSchema)]
        game: String,
        /// The id of the model.
        model: String,
        /// How much is measured.
        #[serde(default = "evaluate_as_usual")]
        #[schema(value_type = SpecSchema)]
        evaluation: String,
        /// The model's own if not given, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<WideInputSchema>)]
        seed: Option<JsonU64>,
    },
    /// Reproduces a paper's table or figure.
    Paper {
        artefact: String,
        #[schema(value_type = ScaleSchema)]
        scale: String,
        #[serde(default)]
        #[schema(value_type = WideInputSchema)]
        seed: JsonU64,
    },
    /// An uploaded network: no work, but kept and played with like a trained one.
    Network { game: String, name: String },
}

fn evaluate_as_usual() -> String {
    "evaluate".to_owned()
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobKind {
    Training,
    Tournament,
    Evaluation,
    Paper,
    Network,
}

impl JobRequest {
    pub(super) const fn kind(&self) -> JobKind {
        match self {
            Self::Training { .. } => JobKind::Training,
            Self::Tournament { .. } => JobKind::Tournament,
            Self::Evaluation { .. } => JobKind::Evaluation,
            Self::Paper { .. } => JobKind::Paper,
            Self::Network { .. } => JobKind::Network,
        }
    }

    pub(super) fn title(&self) -> Text {
        match self {
            Self::Training { game, method, .. } => {
                Text { en: format!("{method} on {game}").into(), fr: format!("{method} sur {game}").into() }
            }
            Self::Tournament { game, players, .. } => {
                let count = players.len();
                let (en, fr) = (format!("{count} players of {game}"), format!("{count} joueurs de {game}"));
                Text { en: en.into(), fr: fr.into() }
            }
            Self::Evaluation { game, model, .. } => Text {
                en: format!("evaluation of {model} on {game}").into(),
                fr: format!("évaluation de {model} sur {game}").into(),
            },
            Self::Paper { artefact, scale, .. } => Text::same(format!("{artefact} ({scale})")),
            Self::Network { name, .. } => Text::same(name.clone()),
        }
    }

    /// The game that the resulting model plays, if there is one.
    pub(super) fn model_game(&self) -> Option<&str> {
        match self {
            Self::Training { game, .. } | Self::Network { game, .. } => Some(game),
            Self::Tournament { .. } | Self::Evaluation { .. } | Self::Paper { .. } => None,
        }
    }

    /// Whether the work can be put aside and gone on with; an evaluation would begin anew.
    pub(super) const fn can_pause(&self) -> bool {
        !matches!(self, Self::Evaluation { .. })
    }
}
