//! `outplay tournament … --knockout K`: the preselection, the bracket, the winner.
//!
//! If the final is stopped, what was played until then is shown.

use outplay_arena::knockout::{
    Bracket, BracketSlot, KnockoutPlan, KnockoutReport, Leg, RankedEntrant, Tie, run_knockout,
};
use outplay_lab::registry::OtherBoards;
use outplay_runtime::WorkError;

use crate::args::TournamentArgs;
use crate::record_writer::RecordWriter;
use crate::terminal::{Terminal, table};

pub(crate) fn run(terminal: &Terminal, options: &TournamentArgs, places: usize) -> Result<(), WorkError> {
    let any_game = terminal.open_game(&options.game)?;
    let players = terminal.watch(|watch| any_game.entrants(&options.players, watch))?;
    let plan = KnockoutPlan { places, seed: options.contest.seed, threads: options.contest.threads };
    let mut writer = RecordWriter::of_contest(&options.contest)?;
    let replays = OtherBoards { game: &*any_game, store: terminal.store(), seed: plan.seed };
    let mut last: Option<Bracket> = None;
    let mut show = |bracket: &Bracket| last = Some(bracket.clone());
    let report = terminal.watch(|watch| {
        writer.while_recording(|records| run_knockout(&*players, &replays, &plan, records, &mut show, watch))
    });
    if let (Err(WorkError::Stopped), Some(bracket)) = (&report, &last) {
        terminal.print_result(bracket, || draw_unfinished(bracket));
    }
    let report = report?;
    terminal.print_result(&report, || draw(&report));
    writer.close()
}

fn draw(report: &KnockoutReport) -> String {
    let ties = report.rounds.iter().flatten().map(draw_tie).collect::<Vec<_>>().join("\n");
    format!(
        "{}\n\n{}\n\n{ties}\n\n{} wins the tournament",
        draw_ranking(&report.ranking),
        bracket(&report.rounds),
        report.champion
    )
}

fn draw_ranking(ranking: &[RankedEntrant]) -> String {
    let rows = ranking.iter().enumerate().map(|(place, ranked)| {
        vec![(place + 1).to_string(), ranked.name.clone(), ranked.wins.to_string(), ranked.points.to_string()]
    });
    table(&["place", "player", "games won", "points"], rows)
}

fn draw_unfinished(bracket: &Bracket) -> String {
    let pairing = |slot: &BracketSlot| {
        let state =
            slot.winner.as_ref().map_or_else(|| "open".to_owned(), |winner| format!("{winner} goes on"));
        format!("{}: {state}", slot.players.join(" – "))
    };
    let known = bracket.rounds.iter().flatten().filter(|slot| slot.players.len() == 2);
    let pairings = known.map(pairing).collect::<Vec<_>>().join("\n");
    format!("{}\n\n{pairings}", draw_ranking(&bracket.ranking))
}

/// Longer ties are drawn by their first and last legs; `--json` has them all.
const SHOWN_LEGS: usize = 6;

fn draw_tie(tie: &Tie) -> String {
    let leg = |leg: &Leg| {
        let board = leg.game.split_once("board=").map_or_else(
            || {
                if leg.random_plies == 0 {
                    String::new()
                } else {
                    format!(" after {} random moves", leg.random_plies)
                }
            },
            |(_, board)| format!(" on {board}"),
        );
        format!("{}–{}{board}", leg.wins[0], leg.wins[1])
    };
    let played = tie.legs.len();
    let legs = if played <= SHOWN_LEGS {
        tie.legs.iter().map(leg).collect::<Vec<_>>().join(", ")
    } else {
        let (first, last) = (&tie.legs[0], &tie.legs[played - 1]);
        format!("{}, … {} replays …, {}", leg(first), played - 2, leg(last))
    };
    let how = if tie.settled_by == "games" { String::new() } else { format!(" (by {})", tie.settled_by) };
    format!("{} against {}: {legs}; {} goes on{how}", tie.players[0], tie.players[1], tie.winner)
}

/// The final as a tree that grows from left to right, a column for each round and one for the winner.
fn bracket(rounds: &[Vec<Tie>]) -> String {
    let mut columns: Vec<Vec<&str>> = Vec::new();
    for (round, ties) in rounds.iter().enumerate() {
        // The better player stands first in a tie; in the tree, the one who came from above does.
        let column = ties.iter().enumerate().flat_map(|(number, tie)| {
            let [a, b] = [&tie.players[0], &tie.players[1]].map(String::as_str);
            let above = round.checked_sub(1).map_or(a, |before| rounds[before][2 * number].winner.as_str());
            if above == a { [a, b] } else { [b, a] }
        });
        columns.push(column.collect());
    }
    columns.push(rounds.last().map(|last| last[0].winner.as_str()).into_iter().collect());
    let height = 2 * columns[0].len() - 1;
    let mut lines = vec![String::new(); height];
    for (round, column) in columns.iter().enumerate() {
        let width = column.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let last = round + 1 == columns.len();
        for (row, line) in lines.iter_mut().enumerate() {
            line.push_str(&cell(column, round, row, width, last));
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// What stands in a row of a round's column: a name with its line, a part of the stroke that joins two, or nothing.
fn cell(column: &[&str], round: usize, row: usize, width: usize, last: bool) -> String {
    let (step, first) = (2 << round, (1 << round) - 1);
    let blank = " ".repeat(width + 4);
    if row >= first && (row - first).is_multiple_of(step) && (row - first) / step < column.len() {
        let place = (row - first) / step;
        let name = column[place];
        if last {
            return name.to_owned();
        }
        let line = "─".repeat(width - name.chars().count() + 1);
        return format!("{name} {line}{}", if place.is_multiple_of(2) { "┐ " } else { "┘ " });
    }
    let between =
        row > first && ((row - first) / step).is_multiple_of(2) && (row - first) / step + 1 < column.len();
    match (last, between) {
        (true, _) => String::new(),
        (false, false) => blank,
        (false, true) => {
            let joint = if (row - first) % step == step / 2 { "├ " } else { "│ " };
            format!("{}{joint}", " ".repeat(width + 2))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tie(first: &str, second: &str, winner: &str) -> Tie {
        let players = [first, second].map(str::to_owned);
        Tie { players, legs: Vec::new(), winner: winner.to_owned(), settled_by: "games" }
    }

    #[test]
    fn the_bracket_is_a_tree() {
        let rounds = vec![vec![tie("a", "dd", "dd"), tie("b", "c", "b")], vec![tie("b", "dd", "b")]];
        let expected = "\
a ──┐
    ├ dd ─┐
dd ─┘     │
          ├ b
b ──┐     │
    ├ b ──┘
c ──┘";
        assert_eq!(bracket(&rounds), expected, "\n{}", bracket(&rounds));
    }

    #[test]
    fn a_stopped_final_is_shown_as_far_as_it_came() {
        let slot = |players: &[&str], winner: Option<&str>| BracketSlot {
            players: players.iter().map(|&name| name.to_owned()).collect(),
            winner: winner.map(str::to_owned),
            ..BracketSlot::default()
        };
        let ranked = |name: &str| RankedEntrant { name: name.to_owned(), wins: 3, points: 3.5 };
        let rounds =
            vec![vec![slot(&["a", "d"], Some("d")), slot(&["b", "c"], None)], vec![slot(&["d"], None)]];
        let text = draw_unfinished(&Bracket { ranking: vec![ranked("a"), ranked("b")], rounds });
        assert!(text.contains("3.5") && text.ends_with("a – d: d goes on\nb – c: open"), "{text}");
    }
}
