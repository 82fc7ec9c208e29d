//! `engine`: the engine as a player of the lab, at ten levels.
//!
//! A higher level looks at more positions and mistakes their worth by less than a lower one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use outplay_core::Referee;
use outplay_games::chess::classic::ClassicWeights;
use outplay_games::chess::engine::{ChessEngine, EnginePlayer, LEVELS, Level, SearchLimits, TimeControl};
use outplay_games::chess::{Chess, ClassicEvaluator};

use crate::error::LabError;
use crate::registry::{PlayerDef, PlayerFactory};
use crate::spec::{Param, ParamKind, Values};
use outplay_runtime::check_memory;
use outplay_runtime::files::read_bytes;
use outplay_runtime::own_threads;

/// A file of weights for the classic evaluation.
pub(super) const WEIGHTS: Param = Param {
    name: "weights",
    kind: ParamKind::File,
    default: None,
    help: "a file of weights for the classic evaluation (those that come with the program, if none is given)",
};

const PARAMS: &[Param] = &[
    Param {
        name: "level",
        kind: ParamKind::Whole(1, LEVELS.len() as i64),
        default: Some("10"),
        help: "1 = beginner … 10 = full strength, limited only by time, nodes or depth",
    },
    Param {
        name: "time",
        kind: ParamKind::Time,
        default: None,
        help: "time per move (1s if no limit is given)",
    },
    Param {
        name: "nodes",
        kind: ParamKind::Whole(1, 1_000_000_000_000),
        default: None,
        help: "positions per move",
    },
    Param { name: "depth", kind: ParamKind::Whole(1, 119), default: None, help: "plies to look ahead" },
    Param {
        name: "threads",
        kind: ParamKind::Whole(1, 256),
        default: Some("1"),
        help: "threads that share a table, at most one for each core (one in the studio's jobs); with more than one, play may differ from run to run",
    },
    Param {
        name: "hash",
        kind: ParamKind::Whole(1, 65_536),
        default: Some("16"),
        help: "size of the transposition table in MiB",
    },
    Param {
        name: "candidates",
        kind: ParamKind::Whole(1, 1000),
        default: Some("1"),
        help: "how many of the best moves get a value, for analysis",
    },
    WEIGHTS,
];

/// The judge with the weights of a file, or with those that come with the program.
pub(super) fn judge(values: &Values) -> Result<ClassicEvaluator, LabError> {
    values.optional_file("weights").map_or_else(|| Ok(ClassicEvaluator::default()), |path| read_judge(path))
}

fn read_judge(path: &Path) -> Result<ClassicEvaluator, LabError> {
    let refused = |why: String| LabError::refused(format!("{} holds no weights: {why}", path.display()));
    let text = String::from_utf8(read_bytes(path)?).map_err(|error| refused(error.to_string()))?;
    let weights = ClassicWeights::read(&text).map_err(|bad| refused(bad.to_string()))?;
    Ok(ClassicEvaluator::with_weights(Arc::new(weights)))
}

/// The player on chess's list.
pub(super) fn player() -> PlayerDef<Referee<Chess>> {
    PlayerDef::new(
        "engine",
        "principal variation search over the classic evaluation, at ten levels",
        PARAMS.to_vec(),
        |request| make(request.values),
    )
    .with_memory(|values| values.whole("hash") as u32)
}

fn make(values: &Values) -> Result<PlayerFactory<Chess>, LabError> {
    let judge = judge(values)?;
    let Level { nodes, blur } = LEVELS[values.whole("level") as usize - 1];
    let asked = values.optional_whole("nodes").map(|nodes| nodes as u64);
    let mut limits = SearchLimits {
        depth: values.optional_whole("depth").map(|depth| depth as u32),
        nodes: [asked, nodes].into_iter().flatten().min(),
        time: values.optional_time("time").map(TimeControl::Move),
        mate: None,
    };
    if limits == SearchLimits::default() {
        limits.time = Some(TimeControl::Move(Duration::from_secs(1)));
    }
    let whole = |name| values.whole(name) as usize;
    let (threads, hash, candidates) = (whole("threads"), whole("hash"), whole("candidates"));
    check_memory(&format!("hash={hash}"), hash)?;
    Ok(Arc::new(move || {
        let engine = ChessEngine::new(own_threads(threads), hash, &judge);
        Box::new(EnginePlayer::new(engine, limits).with_candidates(candidates).with_noise(blur))
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
        assert_eq!(PARAMS[0].default, Some(LEVELS.len().to_string().as_str()));
        let hash = PARAMS.iter().find(|param| param.name == "hash").and_then(|param| param.default);
        assert_eq!(hash, Some(ChessEngine::DEFAULT_HASH.to_string().as_str()));
    }

    #[test]
    fn a_file_that_holds_no_weights_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.txt");
        std::fs::write(&path, "nonsense").unwrap();
        let refusal = read_judge(&path).unwrap_err().to_string();
        assert!(refusal.contains("weights.txt holds no weights: line 1: 'nonsense'"), "{refusal}");
        std::fs::write(&path, ClassicWeights::default().write()).unwrap();
        read_judge(&path).unwrap();
    }
}
