//! How well classes are told apart: `outplay evaluate chess FILE`, where FILE is a network or, for nearest neighbours,
//! a set.
//!
//! k is chosen on examples that are neither learnt from nor in the test; a network is tested on what it has not learnt
//! from, as its notes say.

use outplay_runtime::WorkError;
use std::io::Read;
use std::path::Path;

use outplay_core::{Text, errors};
use outplay_players::ConfusionMatrix;
use serde_json::{Value, json};

use super::division::{DividedSet, Division};
use super::neighbours::{KnownExamples, Sees, best_k};
use super::network::Classifier;
use super::notes::TrainingNotes;
use super::{ExampleSetParams, LabelParams, SplitParams};
use crate::chess::data;
use crate::params;
use crate::params::Tracked;
use crate::registry::{DataReport, EvaluationRequest};
use outplay_arena::stats::wilson;
use outplay_runtime::Watch;
use outplay_runtime::files::{self, FileError};

/// What `evaluate` takes.
pub(crate) type ChessEvaluationParams =
    ((ExampleSetParams, FreshParams), ((SplitParams, LabelParams), NeighbourRangeParams));

params! {
    /// Which positions a network is asked.
    pub(crate) struct FreshParams {
        fresh: Tracked<bool> = false.into(),
            "networks: asks all positions of a set with which the network was not taught"
            | "réseaux : demande toutes les positions d’un ensemble dont le réseau ne fut pas instruit";
    }
}

params! {
    /// Which numbers of neighbours are tried.
    pub(crate) struct NeighbourRangeParams {
        sees: Tracked<Sees> = Sees::Oriented.into(),
            "the board as the side that has moved sees it, with the balance of men, the document's 64 numbers, or the list of pieces that it wishes for"
            | "le plateau vu par le camp qui vient de jouer, avec le bilan des pièces, les 64 nombres du document, ou la liste de pièces qu’il souhaite";
        least: Tracked<usize> = 1.into(), in 1..=1000,
            "neighbours: the least k that is tried" | "voisins : le plus petit k essayé";
        most: Tracked<usize> = 15.into(), in 1..=1000,
            "neighbours: the greatest k that is tried" | "voisins : le plus grand k essayé";
    }
}

errors! {
    /// Why nothing is measured.
    pub enum ChessEvaluationError {
        ForNetworks { name: &'static str } =
            "{name}= is for networks, and the file is a set: expected none"
            | "{name}= est pour les réseaux, et le fichier est un ensemble : aucun n’est attendu",
        ForNeighbours { name: &'static str } =
            "{name}= is for neighbours, and the file is a network: expected none"
            | "{name}= est pour les voisins, et le fichier est un réseau : aucun n’est attendu",
        ForDividedSets { name: &'static str } =
            "{name}= is for sets that are divided, and fresh=yes asks all: expected none"
            | "{name}= est pour les ensembles divisés, et fresh=yes demande tout : aucun n’est attendu",
        NoRange { least: usize, most: usize } =
            "least={least} is above most={most}: expected a range" | "least={least} dépasse most={most} : attendu un intervalle",
    }
}

/// The marks by which a set begins.
const SET: &[u8] = b"OPLCHES";

pub(crate) fn evaluate(request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, WorkError> {
    let EvaluationRequest { path, spec, seed, .. } = *request;
    let owner = Text::new("the evaluation of chess", "l’évaluation des échecs");
    let params = spec.read(&owner, &ChessEvaluationParams::default())?;
    if is_set(path)? {
        neighbours(path, &params, seed.unwrap_or_default(), watch)
    } else {
        network(path, &params, seed)
    }
}

/// Refuses a file that is neither a set nor a network that tells classes apart.
pub(crate) fn check_evaluation(path: &Path) -> Result<(), WorkError> {
    if is_set(path)? { Ok(()) } else { Classifier::open(path).map(drop) }
}

fn is_set(path: &Path) -> Result<bool, WorkError> {
    let mut mark = Vec::new();
    data::decompressed(files::open(path)?)
        .take(SET.len() as u64)
        .read_to_end(&mut mark)
        .map_err(|source| FileError::Read { path: path.to_owned(), source })?;
    Ok(mark == SET)
}

/// The first of these parameters that was given.
fn first_given<const N: usize>(params: [(&'static str, bool); N]) -> Option<&'static str> {
    params.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
}

fn network(
    path: &Path,
    ((set, FreshParams { fresh }), (division, neighbours)): &ChessEvaluationParams,
    seed: Option<u64>,
) -> Result<DataReport, WorkError> {
    let NeighbourRangeParams { sees, least, most } = neighbours;
    let useless = [("sees", sees.is_given()), ("least", least.is_given()), ("most", most.is_given())];
    if let Some(name) = first_given(useless) {
        return Err(ChessEvaluationError::ForNeighbours { name }.into());
    }
    let mut classifier = Classifier::open(path)?;
    let taught = TrainingNotes::of(classifier.network(), division, seed)?;
    let test = if **fresh {
        let SplitParams { split, test } = &division.0;
        if let Some(name) = first_given([("split", split.is_given()), ("test", test.is_given())]) {
            return Err(ChessEvaluationError::ForDividedSets { name }.into());
        }
        taught.fresh(&set.read()?)?
    } else {
        taught.kept_apart(&set.read()?)?
    };
    let mut report = described(&classifier.confusion(&test));
    report.insert("plan".into(), classifier.network().architecture().to_string().into());
    report.insert("seed".into(), taught.seed.into());
    Ok(report)
}

fn neighbours(
    path: &Path,
    ((set, FreshParams { fresh }), ((split, labelling), neighbours)): &ChessEvaluationParams,
    seed: u64,
    watch: Watch<'_>,
) -> Result<DataReport, WorkError> {
    if let Some(name) = first_given([("data", set.data.is_some()), ("fresh", fresh.is_given())]) {
        return Err(ChessEvaluationError::ForNetworks { name }.into());
    }
    let divided = DividedSet::for_exam(&data::open(path)?, &Division::of(split, labelling), seed)?;
    let (least, most) = (*neighbours.least, *neighbours.most);
    if least > most {
        return Err(ChessEvaluationError::NoRange { least, most }.into());
    }
    let known = KnownExamples::new(&divided.training, *neighbours.sees, most);
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
