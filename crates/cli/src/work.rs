//! Long work: `train`, `tournoi`, `data`, `evaluate`, `reproduce`, `bench`, `openings`, `uci`.

use outplay_runtime::WorkError;
use std::io;
use std::path::Path;

use outplay_lab::chess::openings::{Book, balanced};
use outplay_lab::quoridor::tournoi::{self, TournoiForm};
use outplay_lab::registry::{DataRequest, Evaluation, EvaluationRequest, TrainPlan};
use outplay_lab::seeds::train_seeds;
use outplay_lab::spec::Spec;
use outplay_lab::{AnyGame, games};
use outplay_papers::artefact::{self, PaperReport, Scale};
use outplay_papers::select;
use outplay_runtime::files::{OutputLock, make_folder, write_atomically};
use outplay_training::TrainingReport;
use serde_json::json;

use crate::args::{
    BenchArgs, DataArgs, EvaluateArgs, OpeningsArgs, ReproduceArgs, ScaleName, TournoiArgs, TrainArgs,
};
use crate::error::CommandError;
use crate::terminal::{Terminal, figure, table};

/// A name with the further parameters that follow it on the command line.
fn with_parameters(name: &str, parameters: &[String]) -> Result<Spec, WorkError> {
    let separator = if name.contains(':') { "," } else { ":" };
    let text = if parameters.is_empty() {
        name.to_owned()
    } else {
        format!("{name}{separator}{}", parameters.join(","))
    };
    Ok(text.parse()?)
}

pub(crate) fn train(terminal: &Terminal, options: &TrainArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(&options.game)?;
    let method = with_parameters(&options.method, &options.parameters)?.to_string();
    let TrainArgs { seed, ref out, resume, threads, .. } = *options;
    let plan = TrainPlan { method: &method, seed, out, resume, threads };
    match options.seeds {
        None => run_training(terminal, &*board, &plan),
        Some(seeds) => {
            let reports = terminal.watch(|watch| train_seeds(&*board, &plan, seeds, watch))?;
            terminal
                .print_result(&reports, || reports.iter().map(draw_training).collect::<Vec<_>>().join("\n"));
            finished(&reports)
        }
    }
}

pub(crate) fn tournoi(terminal: &Terminal, options: &TournoiArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(tournoi::BOARD)?;
    let TournoiArgs { games, ref file, strongest, seed, resume } = *options;
    let form = if strongest { TournoiForm::Strongest } else { TournoiForm::Course };
    let plan = TrainPlan { method: &tournoi::method(games, form), seed, out: file, resume, threads: None };
    run_training(terminal, &*board, &plan)
}

/// Runs a training to its end.
fn run_training(terminal: &Terminal, board: &dyn AnyGame, plan: &TrainPlan<'_>) -> Result<(), WorkError> {
    let report = terminal.watch(|watch| board.train(plan, watch))?;
    terminal.print_result(&report, || draw_training(&report));
    finished(&[report])
}

fn draw_training(report: &TrainingReport) -> String {
    let state = if report.finished { "finished" } else { "stopped; add --resume to go on;" };
    let line = format!("{state} after {:.2} s, written to {}", report.seconds, report.out.display());
    if report.last.is_null() {
        return line;
    }
    format!("{line}\n{}", table(&["at the end", "number"], rows_of("", &report.last)))
}

fn finished(reports: &[TrainingReport]) -> Result<(), WorkError> {
    if reports.iter().all(|report| report.finished) { Ok(()) } else { Err(WorkError::Stopped) }
}

pub(crate) fn data(terminal: &Terminal, options: &DataArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(&options.game)?;
    let spec = with_parameters("data", &options.parameters)?;
    let request = match (&options.describe, &options.out) {
        (Some(path), _) => DataRequest::Describe(path),
        (None, Some(out)) => DataRequest::Make {
            spec: &spec,
            seed: options.seed,
            out,
            resume: options.resume,
            threads: options.threads,
        },
        (None, None) => {
            return Err(CommandError::NothingToDo.into());
        }
    };
    let report = terminal.watch(|watch| board.data(&request, watch))?;
    terminal.print_result(&report, || {
        let rows = report.iter().map(|(name, value)| vec![name.replace('_', " "), value.to_string()]);
        table(&["what", "number"], rows)
    });
    Ok(())
}

pub(crate) fn evaluate(terminal: &Terminal, options: &EvaluateArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(&options.game)?;
    let spec = with_parameters("evaluation", &options.parameters)?;
    let draws = options.svg.is_some();
    let request =
        EvaluationRequest { path: &options.file, spec: &spec, seed: options.seed, draws, threads: None };
    let evaluation = terminal.watch(|watch| board.evaluate(&request, watch))?;
    if let Some(folder) = &options.svg {
        write_figures(folder, &evaluation)?;
    }
    let report = &evaluation.report;
    terminal.print_result(report, || {
        let rows = report.iter().flat_map(|(part, value)| rows_of(part, value));
        let mut parts = vec![table(&["what", "number"], rows)];
        parts.extend(report.iter().filter_map(|(part, value)| matrix(part, value)));
        parts.join("\n")
    });
    Ok(())
}

/// Writes what an evaluation has drawn, one file for each figure.
fn write_figures(folder: &Path, evaluation: &Evaluation) -> Result<(), WorkError> {
    make_folder(folder)?;
    for figure in &evaluation.figures {
        let path = folder.join(format!("{}.svg", figure.name));
        write_atomically(&path, |writer| writer.write_all(figure.svg.en.as_bytes()))?;
    }
    Ok(())
}

/// A square of numbers, such as a confusion matrix, as a table of its own.
fn matrix(part: &str, value: &serde_json::Value) -> Option<String> {
    let lines: Vec<&Vec<serde_json::Value>> =
        value.as_array()?.iter().map(serde_json::Value::as_array).collect::<Option<_>>()?;
    let numbers: Vec<String> = (1..=lines.len()).map(|number| number.to_string()).collect();
    let head: Vec<&str> = [part].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let row = |(number, line): (&String, &&Vec<serde_json::Value>)| {
        [number.clone()].into_iter().chain(line.iter().map(ToString::to_string)).collect()
    };
    Some(table(&head, numbers.iter().zip(&lines).map(row)))
}

/// The plain numbers of a part of a report, which may have no name, and of its own parts, one row each; lists are for programs,
/// or tables of their own.
fn rows_of(part: &str, value: &serde_json::Value) -> Vec<Vec<String>> {
    let shown = |value: &serde_json::Value| match (value.as_f64(), value.as_str()) {
        (Some(number), _) if !value.is_u64() => format!("{number:.4}"),
        (_, Some(text)) => text.to_owned(),
        _ => value.to_string(),
    };
    let fields = match value {
        serde_json::Value::Object(fields) => fields,
        serde_json::Value::Array(_) => return Vec::new(),
        _ => return vec![vec![part.to_owned(), shown(value)]],
    };
    let name_of = |name: &str| match part {
        "" => name.replace('_', " "),
        part => format!("{part}: {}", name.replace('_', " ")),
    };
    let told = fields.iter().filter(|(_, value)| value.is_number() || value.is_object());
    told.flat_map(|(name, value)| rows_of(&name_of(name), value)).collect()
}

pub(crate) fn reproduce(terminal: &Terminal, options: &ReproduceArgs) -> Result<(), WorkError> {
    let scale = match options.scale {
        ScaleName::Smoke => Scale::Smoke,
        ScaleName::Desk => Scale::Desk,
        ScaleName::Full => Scale::Full,
    };
    let mut reports = Vec::new();
    for (paper, artefacts) in select(options.what.as_deref())? {
        let (seed, threads) = (options.seed, options.threads);
        let artefacts = if options.report_only { Vec::new() } else { artefacts };
        reports.push(terminal.watch(|watch| {
            artefact::reproduce(paper, &artefacts, scale, seed, terminal.store(), threads, watch)
        })?);
    }
    terminal.print_result(&reports, || reports.iter().map(draw_report).collect::<Vec<_>>().join("\n\n"));
    Ok(())
}

fn draw_report(report: &PaperReport) -> String {
    let rows = report.artefacts.iter().map(|artefact| {
        let compared = match artefact.total {
            0 => String::new(),
            total => format!("{} of {total}", artefact.reproduced),
        };
        vec![artefact.id.clone(), artefact.title.to_string(), artefact.badge.words().to_string(), compared]
    });
    let essay = report.essay.iter().flatten().map(|path| format!("\n        {}", path.display()));
    format!(
        "{}\n{}\nreport: {}\n        {}{}",
        report.title,
        table(&["artefact", "what it shows", "verdict", "numbers that agree"], rows),
        report.html.display(),
        report.markdown.display(),
        essay.collect::<String>(),
    )
}

pub(crate) fn bench(terminal: &Terminal, options: &BenchArgs) -> Result<(), WorkError> {
    let games: Vec<&str> = match &options.game {
        Some(game) => vec![game],
        None => games().iter().map(|def| def.name).collect(),
    };
    let mut results = Vec::new();
    for game in games {
        let board = terminal.open_game(game)?;
        results.extend(terminal.watch(|watch| board.bench(watch))?);
    }
    terminal.print_result(&json!({ "results": results }), || {
        let rows = results
            .iter()
            .map(|result| vec![result.name.clone(), figure(result.value), result.unit.to_owned()]);
        table(&["what", "value", "unit"], rows)
    });
    Ok(())
}

pub(crate) fn openings(terminal: &Terminal, options: &OpeningsArgs) -> Result<(), WorkError> {
    let _lock = OutputLock::take(&options.file)?;
    let &OpeningsArgs { count, plies, nodes, margin, seed, ref file } = options;
    let book = Book { count: count as usize, plies, nodes, margin, seed };
    let openings = terminal.watch(|watch| balanced(book, watch))?;
    write_atomically(file, |writer| openings.iter().try_for_each(|fen| writeln!(writer, "{fen}")))?;
    let out = file.display().to_string();
    terminal.print_result(&json!({ "openings": openings.len(), "out": out }), || {
        format!("{count} openings in {out}")
    });
    Ok(())
}

pub(crate) fn uci() -> Result<(), WorkError> {
    let failed = |source| CommandError::Interface { source };
    Ok(outplay_uci::serve(io::stdin().lock(), io::stdout()).map_err(failed)?)
}
