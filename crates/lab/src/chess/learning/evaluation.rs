//! How well classes are told apart: `outplay evaluate chess FILE`, FILE being a network or, for nearest neighbours, a set.
//!
//! Laws: k is chosen by examples that are neither learnt from nor in the test; a network is examined by what its own seed
//! kept for the test, unless another is asked for.

use std::fs::File;
use std::io::Read;

use outplay_players::Confusion;
use serde_json::{Value, json};

use super::lessons::{Division, Lessons, set};
use super::neighbours::{Known, SEES, Sees, best_k, divided};
use super::network::Classifier;
use super::{BOUNDS, DATA, SPLIT, TEST};
use crate::chess::data;
use crate::error::LabError;
use crate::files::FileError;
use crate::registry::{DataReport, EvaluationRequest};
use crate::spec::{Kind, Param};
use crate::watch::Watch;

/// What `evaluate` takes.
pub(crate) const PARAMS: &[Param] = &[
    DATA,
    SPLIT,
    TEST,
    BOUNDS,
    SEES,
    Param {
        name: "least",
        kind: Kind::Whole(1, 1000),
        default: Some("1"),
        help: "neighbours: the least k that is tried",
    },
    Param {
        name: "most",
        kind: Kind::Whole(1, 1000),
        default: Some("15"),
        help: "neighbours: the greatest k that is tried",
    },
];

/// The marks by which a set begins.
const SET: &[u8] = b"OPLCHES";

pub(crate) fn evaluate(request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
    let EvaluationRequest { path, spec, seed } = *request;
    let values = spec.resolve("the evaluation of chess", PARAMS)?;
    let mut mark = Vec::new();
    File::open(path)
        .and_then(|file| file.take(SET.len() as u64).read_to_end(&mut mark))
        .map_err(|source| FileError::Read { path: path.to_owned(), source })?;
    if mark != SET {
        let mut classifier = Classifier::open(path)?;
        // What the file was taught with tells which examples it has not seen, and what its classes are.
        let note = |key: &str| classifier.network().note(key);
        let seed = seed.or_else(|| note("seed")?.parse().ok()).unwrap_or_default();
        let mut division = Division::of(&values)?;
        if values.first_given(&["bounds"]).is_none()
            && let Some(bounds) = note("bounds").and_then(|text| text.parse().ok())
        {
            division.bounds = bounds;
        }
        let lessons = Lessons::divide(&set(&values)?, &division, seed)?;
        let mut report = described(&classifier.confusion(&lessons.test));
        report.insert("plan".into(), classifier.network().plan().to_string().into());
        report.insert("seed".into(), seed.into());
        return Ok(report);
    }
    let lessons = divided(&data::open(path)?, &values, seed.unwrap_or_default())?;
    let (least, most) = (values.whole("least") as usize, values.whole("most") as usize);
    if least > most {
        return Err(LabError::refused(format!("least={least} is above most={most}: expected a range")));
    }
    let known = Known::new(&lessons.training, Sees::of(&values), most);
    let k = best_k(&known.confusions(&lessons.validation, most, watch)?, least, most);
    let confusions = known.confusions(&lessons.test, most, watch)?;
    let mut report = described(&confusions[k - 1]);
    report.insert("k".into(), k.into());
    let by_k: Vec<Value> =
        (least..=most).map(|k| json!({ "k": k, "accuracy": confusions[k - 1].accuracy() })).collect();
    report.insert("by_k".into(), by_k.into());
    Ok(report)
}

/// Accuracy, the report of each class, and the confusion matrix.
fn described(confusion: &Confusion) -> DataReport {
    let mut report = DataReport::new();
    report.insert("positions".into(), confusion.total().into());
    report.insert("accuracy".into(), confusion.accuracy().into());
    for (number, class) in (1..).zip(confusion.classes()) {
        let numbers = json!({
            "precision": class.precision,
            "recall": class.recall,
            "f1": class.f1,
            "support": class.support,
        });
        report.insert(format!("class_{number}"), numbers);
    }
    report.insert("confusion".into(), json!(confusion.counts));
    report
}
