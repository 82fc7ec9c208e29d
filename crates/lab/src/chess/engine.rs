//! `engine`: the engine as a player of the lab, at ten levels.
//!
//! A higher level looks at more positions and mistakes their worth by less than a lower one.

use outplay_runtime::WorkError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use outplay_core::{Referee, Text, errors};
use outplay_games::chess::classic::{ClassicWeights, WeightsError};
use outplay_games::chess::engine::{ChessEngine, EnginePlayer, LEVELS, Level, SearchLimits, TimeControl};
use outplay_games::chess::{Chess, ClassicEvaluator};

use crate::params;
use crate::params::ModelFile;
use crate::registry::{PlayerDef, PlayerFactory};
use outplay_runtime::check_memory;
use outplay_runtime::files::read_bytes;
use outplay_runtime::own_threads;

errors! {
    /// Why a file of weights cannot be used.
    pub enum WeightsFileError {
        NotText { path: PathBuf, reason: String } =
            "{path} holds no weights: {reason}" | "{path} ne contient pas de poids : {reason}",
        Malformed { path: PathBuf, reason: WeightsError } =
            "{path} holds no weights: {reason}" | "{path} ne contient pas de poids : {reason}",
    }
}

params! {
    /// The classic evaluation.
    pub(super) struct ClassicParams {
        weights: ModelFile = ModelFile::Shipped,
            "a file of weights for the classic evaluation (those that come with the program, if none is given)"
            | "un fichier de poids pour l’évaluation classique (ceux livrés avec le programme, si rien n’est donné)";
    }
    memory |_params| 0
}

impl ClassicParams {
    /// The evaluation with the weights of a file, or with those that come with the program.
    pub(super) fn evaluator(&self) -> Result<ClassicEvaluator, WorkError> {
        self.weights.path().map_or_else(|| Ok(ClassicEvaluator::default()), read_evaluator)
    }
}

fn read_evaluator(path: &Path) -> Result<ClassicEvaluator, WorkError> {
    let text = String::from_utf8(read_bytes(path)?)
        .map_err(|error| WeightsFileError::NotText { path: path.to_owned(), reason: error.to_string() })?;
    let weights = ClassicWeights::read(&text)
        .map_err(|reason| WeightsFileError::Malformed { path: path.to_owned(), reason })?;
    Ok(ClassicEvaluator::with_weights(Arc::new(weights)))
}

params! {
    /// How strong the engine plays and what it may use.
    struct EngineParams {
        level: usize = LEVELS.len(), in 1..=LEVELS.len(),
            "1 = beginner … 10 = full strength, limited only by time, nodes or depth"
            | "1 = débutant … 10 = pleine force, limitée seulement par time, nodes ou depth";
        time: Option<Duration> = None,
            "time per move (1s if no limit is given)"
            | "temps par coup (1s si aucune limite n’est donnée)";
        nodes: Option<u64> = None, in 1..=1_000_000_000_000, "positions per move" | "positions par coup";
        depth: Option<u32> = None, in 1..=119, "plies to look ahead" | "demi-coups à regarder";
        threads: usize = 1, in 1..=256,
            "threads that share a table, at most one for each core (one in the studio's jobs); with more than one, play may differ from run to run"
            | "fils d’exécution qui partagent une table, au plus un par cœur (un seul dans les travaux du studio) ; à plusieurs, le jeu peut différer d’une fois à l’autre";
        hash: usize = ChessEngine::DEFAULT_HASH, in 1..=65_536,
            "size of the transposition table in MiB" | "taille de la table de transpositions en Mio";
        candidates: usize = 1, in 1..=1000,
            "how many of the best moves get a value, for analysis"
            | "combien des meilleurs coups reçoivent une valeur, pour l’analyse";
    }
    memory |params| params.hash as u32
}

impl EngineParams {
    /// The least of what the level and the user allow; a second, if neither says anything.
    fn limits(&self) -> SearchLimits {
        let limits = SearchLimits {
            depth: self.depth,
            nodes: [self.nodes, self.level().nodes].into_iter().flatten().min(),
            time: self.time.map(TimeControl::Move),
            mate: None,
        };
        if limits == SearchLimits::default() {
            return SearchLimits { time: Some(TimeControl::Move(Duration::from_secs(1))), ..limits };
        }
        limits
    }

    const fn level(&self) -> Level {
        LEVELS[self.level - 1]
    }
}

/// The player on chess's list.
pub(super) fn player() -> PlayerDef<Referee<Chess>> {
    PlayerDef::new(
        "engine",
        Text::new(
            "principal variation search over the classic evaluation, at ten levels",
            "recherche de la variante principale sur l’évaluation classique, à dix niveaux",
        ),
        (EngineParams::default(), ClassicParams::default()),
        |_, (params, classic)| make(params, classic),
    )
}

fn make(params: &EngineParams, classic: &ClassicParams) -> Result<PlayerFactory<Chess>, WorkError> {
    let evaluator = classic.evaluator()?;
    let (limits, noise) = (params.limits(), params.level().blur);
    let EngineParams { threads, hash, candidates, .. } = *params;
    check_memory(&format!("hash={hash}"), hash)?;
    Ok(Arc::new(move || {
        let engine = ChessEngine::new(own_threads(threads), hash, &evaluator);
        Box::new(EnginePlayer::new(engine, limits).with_candidates(candidates).with_noise(noise))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise() {
        assert!(LEVELS.is_sorted_by(|a, b| {
            a.nodes.unwrap_or(u64::MAX) < b.nodes.unwrap_or(u64::MAX) && a.blur >= b.blur
        }));
    }

    #[test]
    fn a_file_that_holds_no_weights_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.txt");
        std::fs::write(&path, "nonsense").unwrap();
        let refusal = read_evaluator(&path).unwrap_err().to_string();
        assert!(refusal.contains("weights.txt holds no weights: line 1: 'nonsense'"), "{refusal}");
        std::fs::write(&path, ClassicWeights::default().write()).unwrap();
        read_evaluator(&path).unwrap();
    }
}
