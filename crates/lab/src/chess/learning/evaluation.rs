//! How well classes are told apart: `outplay evaluate chess FILE`, where FILE is a network or, for nearest neighbours,
//! a set.
//!
//! k is chosen on examples that are neither learnt from nor in the test; a network is tested on what it has not learnt
//! from, as its notes say.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use outplay_players::ConfusionMatrix;
use serde_json::{Value, json};

use super::division::set;
use super::neighbours::{KnownExamples, SEES, Sees, best_k, divided};
use super::network::Classifier;
use super::notes::TrainingNotes;
use super::{BOUNDS, DATA, LABELS, SPLIT, TEST};
use crate::chess::data;
use crate::error::LabError;
use crate::registry::{DataReport, EvaluationRequest};
use crate::spec::{Param, ParamKind, Values};
use outplay_arena::stats::wilson;
use outplay_runtime::Watch;
use outplay_runtime::files::FileError;

/// What `evaluate` takes.
pub(crate) const PARAMS: &[Param] = &[
    DATA,
    Param {
        name: "fresh",
        kind: ParamKind::Word(&["yes", "no"]),
        default: Some("no"),
        help: "networks: asks all positions of a set with which the network was not taught",
    },
    SPLIT,
    TEST,
    LABELS,
    BOUNDS,
    SEES,
    Param {
        name: "least",
        kind: ParamKind::Whole(1, 1000),
        default: Some("1"),
        help: "neighbours: the least k that is tried",
    },
    Param {
        name: "most",
        kind: ParamKind::Whole(1, 1000),
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
    if mark == SET {
        refuse_given(&values, &["data", "fresh"], "networks, and the file is a set")?;
        neighbours(path, &values, seed.unwrap_or_default(), watch)
    } else {
        refuse_given(&values, &["sees", "least", "most"], "neighbours, and the file is a network")?;
        network(path, &values, seed)
    }
}

/// Refuses parameters that would change nothing.
fn refuse_given(values: &Values, names: &[&str], why: &str) -> Result<(), LabError> {
    let given = values.first_given(names);
    given.map_or(Ok(()), |name| Err(LabError::refused(format!("{name}= is for {why}: expected none"))))
}

fn network(path: &Path, values: &Values, seed: Option<u64>) -> Result<DataReport, LabError> {
    let mut classifier = Classifier::open(path)?;
    let taught = TrainingNotes::of(classifier.network(), values, seed)?;
    let test = if values.word("fresh") == "yes" {
        refuse_given(values, &["split", "test"], "sets that are divided, and fresh=yes asks all")?;
        taught.fresh(&set(values)?)?
    } else {
        taught.kept_apart(&set(values)?)?
    };
    let mut report = described(&classifier.confusion(&test));
    report.insert("plan".into(), classifier.network().architecture().to_string().into());
    report.insert("seed".into(), taught.seed.into());
    Ok(report)
}

fn neighbours(path: &Path, values: &Values, seed: u64, watch: Watch<'_>) -> Result<DataReport, LabError> {
    let divided = divided(&data::open(path)?, values, seed)?;
    let (least, most) = (values.whole("least") as usize, values.whole("most") as usize);
    if least > most {
        return Err(LabError::refused(format!("least={least} is above most={most}: expected a range")));
    }
    let known = KnownExamples::new(&divided.training, Sees::of(values), most);
    let k = best_k(&known.confusions(&divided.validation, most, watch)?, least, most);
    let confusions = known.confusions(&divided.test, most, watch)?;
    let mut report = described(&confusions[k - 1]);
    report.insert("k".into(), k.into());
    let by_k: Vec<Value> =
        (least..=most).map(|k| json!({ "k": k, "accuracy": confusions[k - 1].accuracy() })).collect();
    report.insert("by_k".into(), by_k.into());
    report.insert("seed".into(), seed.into());
    Ok(report)
}

/// Accuracy with Wilson's 95% interval, the report of each class, and the confusion matrix.
fn described(confusion: &ConfusionMatrix) -> DataReport {
    let mut report = DataReport::new();
    report.insert("positions".into(), confusion.total().into());
    report.insert("accuracy".into(), confusion.accuracy().into());
    let interval = wilson(confusion.right(), confusion.total());
    report.insert("accuracy_low".into(), interval.low.into());
    report.insert("accuracy_high".into(), interval.high.into());
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
