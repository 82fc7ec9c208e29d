//! What people are shown of a board: chances in place of masks, and the reasons.

use outplay_games::minesweeper::{BoardCell, CellContent, Contradiction, FirstClick, Solver};

use super::{BoardFacts, names};

/// How many reasons are written out; programs get all of them.
const REASONS: usize = 12;

const LEGEND: &str = "    12% the chance of a mine, ok certainly empty, X certainly mined";

/// The board and what follows from it.
pub(super) fn draw(findings: &BoardFacts<'_>) -> String {
    let mut lines = board(findings);
    lines.push(LEGEND.to_owned());
    lines.extend(others(findings));
    lines.push(String::new());
    lines.extend(totals(findings));
    lines.extend(findings.proofs.iter().take(REASONS).map(|(cell, proof)| reason(findings, *cell, proof)));
    if let Some(more) = findings.proofs.len().checked_sub(REASONS + 1) {
        lines.push(format!("… and {} more certain cells (--json gives every reason)", more + 1));
    }
    lines.extend(prospects(findings));
    lines.extend(least(findings));
    lines.join("\n")
}

/// The least difference of a probability that is worth a picture of its own.
const NOTABLE: f64 = 0.005;

/// The boards by the document's other ways, where they say something else.
fn others(findings: &BoardFacts<'_>) -> Vec<String> {
    let ways = [
        (
            "by the printed formula (Bourdet & Abadie), without the mines off the frontier:",
            &findings.by_formula,
        ),
        ("by Listing 2.1 as printed, which lets contradictions pass:", &findings.by_listing),
    ];
    let differs = |mined: &&Vec<f64>| {
        let cells = findings.seen.masked().iter();
        cells
            .filter_map(|cell| Some((findings.chance(cell)? - mined[findings.seen.index(cell)]).abs()))
            .any(|difference| difference >= NOTABLE)
    };
    let mut lines = Vec::new();
    for (title, mined) in ways {
        let Some(mined) = mined.as_ref().filter(differs) else {
            continue;
        };
        lines.extend([String::new(), title.to_owned()]);
        lines.extend(picture(findings, &|cell| match findings.seen.shown(cell) {
            CellContent::Masked | CellContent::Flag => percent_text(mined[findings.seen.index(cell)]),
            _ => mark(findings, cell.row as usize, cell.col as usize),
        }));
    }
    lines
}

/// The board with the right probabilities.
fn board(findings: &BoardFacts<'_>) -> Vec<String> {
    picture(findings, &|cell| mark(findings, cell.row as usize, cell.col as usize))
}

/// Cells are four characters wide.
fn picture(findings: &BoardFacts<'_>, mark: &dyn Fn(BoardCell) -> String) -> Vec<String> {
    let (rows, cols) = (findings.seen.rows(), findings.seen.cols());
    let heads: String = (0..cols).map(|col| format!("{:>4}", BoardCell::column_letters(col))).collect();
    let row = |row: usize| {
        let cells: String = (0..cols).map(|col| format!("{:>4}", mark(BoardCell::new(row, col)))).collect();
        format!("{:>3}{}", row + 1, cells.trim_end())
    };
    std::iter::once(format!("   {heads}")).chain((0..rows).map(row)).collect()
}

fn mark(findings: &BoardFacts<'_>, row: usize, col: usize) -> String {
    let cell = BoardCell::new(row, col);
    match (findings.seen.shown(cell), findings.chance(cell)) {
        (CellContent::Mine, _) => "*".to_owned(),
        (CellContent::Number(0), _) => String::new(),
        (CellContent::Number(number), _) => number.to_string(),
        (_, _) if findings.safe().contains(cell) => "ok".to_owned(),
        (_, _) if findings.known.mined().contains(cell) => "X".to_owned(),
        (_, mined) => match mined.map_or(0, |mined| (100.0 * mined).round() as u32) {
            0 => "<1%".to_owned(),
            percent => format!("{}%", percent.min(99)),
        },
    }
}

/// A probability of another way, which proves nothing.
fn percent_text(mined: f64) -> String {
    format!("{}%", (100.0 * mined).round() as u32)
}

fn totals(findings: &BoardFacts<'_>) -> Vec<String> {
    let known = &findings.known;
    let solutions = match findings.solutions {
        Some(1) => "1 placement of the mines fits".to_owned(),
        Some(count) => format!("{count} placements of the mines fit"),
        None => format!("about 10^{:.1} placements of the mines fit", known.log10_solutions()),
    };
    let off = known.off_frontier().filter(|_| !findings.is_spared()).map_or_else(String::new, |mined| {
        format!("; a cell that no number touches is mined with {:.1}%", 100.0 * mined)
    });
    let rule = match findings.first {
        Some(FirstClick::Safe) => Some("no mine is laid yet: the first cell is empty by rule"),
        Some(FirstClick::Zero) => Some("no mine is laid yet: the first cell is a 0 by rule"),
        Some(FirstClick::Any) | None => None,
    };
    let certain = [("certainly empty", known.safe()), ("certainly mined", known.mined())];
    let certain = certain.into_iter().filter(|(_, cells)| !cells.is_empty());
    let certain = certain.map(|(words, cells)| format!("{words}: {}", names(cells.iter()).join(" ")));
    std::iter::once(solutions + &off).chain(rule.map(str::to_owned)).chain(certain).collect()
}

fn reason(findings: &BoardFacts<'_>, cell: BoardCell, proof: &Contradiction) -> String {
    let verdict = if findings.known.safe().contains(cell) { "empty" } else { "mined" };
    let numbers = match &names(proof.cells.iter().copied())[..] {
        [] => String::new(),
        [only] => format!("the number at {only}"),
        [first @ .., last] => format!("the numbers at {} and {last}", first.join(", ")),
    };
    let mines = proof.mines.map(|mines| match mines {
        1 => "the total of 1 mine".to_owned(),
        mines => format!("the total of {mines} mines"),
    });
    let reasons: Vec<String> =
        [Some(numbers).filter(|text| !text.is_empty()), mines].into_iter().flatten().collect();
    format!("{cell} is {verdict} by {}", reasons.join(" and "))
}

/// What can be said beyond single cells.
fn prospects(findings: &BoardFacts<'_>) -> Vec<String> {
    let dead = names(findings.dead.iter()).join(" ");
    let dead =
        Some(format!("dead, unmasking them tells nothing: {dead}")).filter(|_| !findings.dead.is_empty());
    let guesses = findings.guesses.iter().map(|guess| {
        let cells = names(guess.cells.iter().copied()).join(" ");
        let (best, chance) = (guess.best, 100.0 * guess.chance);
        format!("forced guess among {cells}: {chance:.1}% at best, beginning with {best}; nothing elsewhere will help")
    });
    let win = findings.win_chances.as_ref().and_then(|chances| chances.first()).map(|(cell, chance)| {
        format!("the best play wins {:.1}% of these boards, beginning with {cell}", 100.0 * chance)
    });
    dead.into_iter().chain(guesses).chain(win).collect()
}

/// Where nothing is certain to be empty: the cells that are least likely mined, and what bears on them.
fn least(findings: &BoardFacts<'_>) -> Option<String> {
    if !findings.safe().is_empty() {
        return None;
    }
    let of = |cell: &BoardCell| findings.known.of(*cell).unwrap_or(1.0);
    let best = findings.seen.masked().iter().min_by(|a, b| of(a).total_cmp(&of(b)))?;
    let touching = match &names(Solver::why(findings.seen, best))[..] {
        [] => "which no number touches".to_owned(),
        numbers => format!("touched by {}", numbers.join(" ")),
    };
    Some(format!(
        "no cell is certainly empty; least likely mined is {best} ({:.1}%), {touching}",
        100.0 * of(&best)
    ))
}
