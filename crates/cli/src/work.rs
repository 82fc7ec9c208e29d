//! Long work: `train`, `data`, `reproduce`, `bench`.

use outplay_lab::artefact::{self, PaperReport, Scale};
use outplay_lab::papers::select;
use outplay_lab::registry::{DataRequest, TrainPlan};
use outplay_lab::spec::Spec;
use outplay_lab::{GAMES, LabError};
use serde_json::json;

use crate::args::{BenchArgs, DataArgs, ReproduceArgs, ScaleName, TrainArgs};
use crate::desk::{Desk, table};

/// A name with further parameters, as they stand on the command line behind it.
fn with_parameters(name: &str, parameters: &[String]) -> Result<Spec, LabError> {
    let separator = if name.contains(':') { "," } else { ":" };
    let text = if parameters.is_empty() {
        name.to_owned()
    } else {
        format!("{name}{separator}{}", parameters.join(","))
    };
    Ok(text.parse()?)
}

pub(crate) fn train(desk: &Desk, options: &TrainArgs) -> Result<(), LabError> {
    let house = desk.house(&options.game)?;
    let method = with_parameters(&options.method, &options.parameters)?.to_string();
    let plan = TrainPlan { method: &method, seed: options.seed, out: &options.out, resume: options.resume };
    let report = desk.watch(|watch| house.train(&plan, watch))?;
    desk.give(&report, || {
        let state = if report.finished { "finished" } else { "stopped; add --resume to go on" };
        format!("{state} after {:.2} s: {}\nwritten to {}", report.seconds, report.last, report.out.display())
    });
    if report.finished { Ok(()) } else { Err(LabError::Stopped) }
}

pub(crate) fn data(desk: &Desk, options: &DataArgs) -> Result<(), LabError> {
    let house = desk.house(&options.game)?;
    let spec = with_parameters("data", &options.parameters)?;
    let request = match (&options.describe, &options.out) {
        (Some(path), _) => DataRequest::Describe(path),
        (None, Some(out)) => DataRequest::Make { spec: &spec, seed: options.seed, out },
        (None, None) => {
            return Err(LabError::refused("nothing to do: expected --out FILE or --describe FILE"));
        }
    };
    let report = desk.watch(|watch| house.data(&request, watch))?;
    desk.give(&report, || {
        let rows = report.iter().map(|(name, value)| vec![name.replace('_', " "), value.to_string()]);
        table(&["what", "number"], rows)
    });
    Ok(())
}

pub(crate) fn reproduce(desk: &Desk, options: &ReproduceArgs) -> Result<(), LabError> {
    let scale = match options.scale {
        ScaleName::Smoke => Scale::Smoke,
        ScaleName::Desk => Scale::Desk,
        ScaleName::Full => Scale::Full,
    };
    let mut reports = Vec::new();
    for (paper, artefacts) in select(options.what.as_deref())? {
        let (seed, threads) = (options.seed, options.threads);
        reports.push(desk.watch(|watch| {
            artefact::reproduce(paper, &artefacts, scale, seed, desk.store(), threads, watch)
        })?);
    }
    desk.give(&reports, || reports.iter().map(draw_report).collect::<Vec<_>>().join("\n\n"));
    Ok(())
}

fn draw_report(report: &PaperReport) -> String {
    let rows = report.artefacts.iter().map(|artefact| {
        let compared = match artefact.total {
            0 => String::new(),
            total => format!("{} of {total}", artefact.reproduced),
        };
        vec![artefact.id.clone(), artefact.title.to_owned(), artefact.badge.words().to_owned(), compared]
    });
    format!(
        "{}\n{}\nreport: {}\n        {}",
        report.title,
        table(&["artefact", "what it shows", "verdict", "numbers that agree"], rows),
        report.html.display(),
        report.markdown.display(),
    )
}

pub(crate) fn bench(desk: &Desk, options: &BenchArgs) -> Result<(), LabError> {
    let games: Vec<&str> = match &options.game {
        Some(game) => vec![game],
        None => GAMES.iter().map(|entry| entry.name).collect(),
    };
    let mut results = Vec::new();
    for game in games {
        let house = desk.house(game)?;
        results.extend(desk.watch(|watch| house.bench(watch))?);
    }
    desk.give(&json!({ "results": results }), || {
        let rows =
            results.iter().map(|result| vec![result.name.clone(), result.readable(), result.unit.to_owned()]);
        table(&["what", "value", "unit"], rows)
    });
    Ok(())
}
