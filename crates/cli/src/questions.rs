//! Questions about one position: `analyse`, `perft`, `solve`.

use outplay_runtime::WorkError;
use std::time::Instant;

use outplay_lab::Opinion;
use outplay_lab::registry::{Answer, PerftReport, Worth};
use serde_json::{Value, json};

use crate::args::{AnalyseArgs, PerftArgs, SolveArgs};
use crate::review;
use crate::terminal::{Terminal, percent, table, write_svg};

/// Characters of a line that fit into a table.
const LINE: usize = 12;

/// The most candidates that are listed for people.
const CANDIDATES: usize = 20;

pub(crate) fn analyse(terminal: &Terminal, options: &AnalyseArgs) -> Result<(), WorkError> {
    if let Some(file) = &options.record {
        return review::run(terminal, options, file);
    }
    let game = terminal.open_game(&options.game)?;
    let player = options.player.as_deref().unwrap_or_else(|| game.info().analyst);
    let mut seat = game.table(options.position.as_deref(), options.seed)?;
    let _memory = terminal.reserve_player(&*game, player)?;
    let opinion = terminal.watch(|watch| seat.advise(player, watch, None))?;
    let snapshot = seat.snapshot();
    let survey = seat.survey()?;
    let mut scene = snapshot.scene.clone();
    scene.marks.extend_from_slice(&survey.marks);
    write_svg(options.svg.as_deref(), &scene)?;
    let mut result = json!(opinion);
    for (name, known) in &survey.facts {
        result[name] = known.clone();
    }
    result["position"] = snapshot.position.into();
    result["player"] = player.into();
    terminal.print_result(&result, || {
        let page = survey.page.clone().unwrap_or_else(|| snapshot.scene.to_text());
        format!("{page}\n\n{}", draw_opinion(player, &opinion))
    });
    Ok(())
}

fn draw_opinion(player: &str, opinion: &Opinion) -> String {
    let rows = opinion.candidates.iter().take(CANDIDATES).map(|candidate| {
        let worth = candidate.certain.clone().unwrap_or_else(|| percent(candidate.value));
        let line: Vec<&str> = candidate.line.iter().take(LINE).map(String::as_str).collect();
        vec![candidate.mv.clone(), worth, percent(candidate.weight), line.join(" ")]
    });
    let nodes = opinion.nodes;
    let more = opinion.candidates.len().saturating_sub(CANDIDATES);
    let more = if more > 0 { format!("… and {more} more moves\n") } else { String::new() };
    let depth = (opinion.depth > 0).then(|| format!("depth {}", opinion.depth));
    // Players that do not look at the clock have no speed.
    let speed = (opinion.seconds > 0.0).then(|| {
        format!("{:.3} s, {:.2} million nodes/s", opinion.seconds, nodes as f64 / opinion.seconds / 1e6)
    });
    let effort: Vec<String> = depth.into_iter().chain([format!("{nodes} nodes")]).chain(speed).collect();
    format!(
        "{player} plays {}\n{}\n{more}{}",
        opinion.best,
        table(&["move", "worth", "attention", "line"], rows),
        effort.join(", ")
    )
}

pub(crate) fn perft(terminal: &Terminal, options: &PerftArgs) -> Result<(), WorkError> {
    let game = terminal.open_game(&options.game)?;
    let begun = Instant::now();
    let PerftReport { nodes, ended, divide } = game.perft(options.position.as_deref(), options.depth)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut result = json!({ "game": game.info().spec.clone(), "depth": options.depth, "nodes": nodes, "ended": ended, "seconds": seconds });
    if options.divide {
        let parts =
            divide.iter().map(|(mv, leaves)| json!({ "move": mv, "nodes": leaves })).collect::<Vec<_>>();
        result["divide"] = parts.into();
    }
    terminal.print_result(&result, || {
        let split = if options.divide {
            let rows = divide.iter().map(|(mv, leaves)| vec![mv.clone(), leaves.to_string()]);
            table(&["move", "leaves"], rows) + "\n"
        } else {
            String::new()
        };
        let ends = if ended == 0 { String::new() } else { format!(", {ended} games ended before") };
        format!("{split}{nodes} leaves at depth {}{ends}, {seconds:.2} s", options.depth)
    });
    Ok(())
}

pub(crate) fn solve(terminal: &Terminal, options: &SolveArgs) -> Result<(), WorkError> {
    let game = terminal.open_game(&options.game)?;
    let answer = terminal.watch(|watch| game.solve(options.position.as_deref(), options.no_ko, watch))?;
    let snapshot = game.table(options.position.as_deref(), 0)?.snapshot();
    write_svg(options.svg.as_deref(), &snapshot.scene)?;
    let mut result = json!(answer);
    result["position"] = snapshot.position.into();
    terminal.print_result(&result, || {
        format!("{}\n\n{}", snapshot.scene.to_text(), draw_answer(&snapshot.to_move_name.en, &answer))
    });
    Ok(())
}

fn draw_answer(to_move: &str, answer: &Answer) -> String {
    let worth = |value: Worth, distance: Option<u32>| match (value, distance) {
        (Worth::Result(value), Some(plies)) => format!("{value} in {plies}"),
        (Worth::Result(value), None) => value.to_owned(),
        (Worth::Chance(chance), _) => format!("wins {:.4}%", 100.0 * chance),
    };
    let line = match &answer.line[..] {
        [] => String::new(),
        line => format!("\nbest play: {}", line.join(" ")),
    };
    let rows = answer.moves.iter().map(|mv| vec![mv.mv.clone(), worth(mv.value, mv.distance)]);
    format!(
        "{to_move} to move: {}\n{}{line}\n\n{}",
        worth(answer.value, answer.distance),
        table(&["move", "worth to the one who plays it"], rows),
        draw_counts(&answer.counts),
    )
}

/// Counts of positions by value, one line each; anything that is not a table gets a line of its own.
fn draw_counts(counts: &serde_json::Map<String, Value>) -> String {
    let words = |name: &str| name.replace('_', " ");
    let line = |(name, count): (&String, &Value)| match count {
        Value::Object(parts) => {
            let parts = parts.iter().map(|(part, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                format!("{} {value}", words(part))
            });
            format!("{}: {}", words(name), parts.collect::<Vec<_>>().join(", "))
        }
        value => format!("{}: {value}", words(name)),
    };
    counts.iter().map(line).collect::<Vec<_>>().join("\n")
}
