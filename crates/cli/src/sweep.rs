//! `outplay sweep`: every combination of a method's parameters, from best to worst.

use outplay_lab::sweep::{self, SweepPlan, SweepReport};
use outplay_runtime::WorkError;

use crate::args::SweepArgs;
use crate::terminal::{Terminal, table};

/// Points that are shown to people; the folder's report has them all.
const SHOWN: usize = 40;

pub(crate) fn run(terminal: &Terminal, options: &SweepArgs) -> Result<(), WorkError> {
    let game = terminal.open_game(&options.game)?;
    let plan = SweepPlan {
        method: &options.method,
        parameters: &options.parameters,
        measure: options.measure.as_deref(),
        seed: options.seed,
        out: &options.out,
        resume: options.resume,
        threads: options.threads,
    };
    let report = terminal.watch(|watch| sweep::run(&*game, &plan, watch))?;
    terminal.print_result(&report, || draw(&report));
    if report.finished { Ok(()) } else { Err(WorkError::Stopped) }
}

fn draw(report: &SweepReport) -> String {
    let head = report.head();
    let names: Vec<&str> = head.iter().map(String::as_str).collect();
    let shown = table(&names, report.rows().into_iter().take(SHOWN));
    let (done, planned, out) = (report.points.len(), report.planned, report.out.display());
    let hidden = match done.saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("and {more} more\n"),
    };
    let state = if report.finished {
        format!("table and picture: {}", report.out.join("report.md").display())
    } else {
        format!("stopped; add --resume to go on with {out}")
    };
    format!("{shown}\n{hidden}{done} of {planned} points after {:.2} s; {state}", report.seconds)
}
