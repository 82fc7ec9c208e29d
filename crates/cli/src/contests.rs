//! Many games: `match`, `tournament`, `ratings`, `replay`.

use outplay_arena::MatchPlan;
use outplay_arena::contest::{MatchReport, TournamentReport};
use outplay_arena::matches::MatchSummary;
use outplay_arena::rated_files::{Fingerprint, rate_files};
use outplay_arena::ratings::Ratings;
use outplay_arena::stats::{Sprt, SprtVerdict, Tally};
use outplay_arena::tournament::TournamentPlan;
use outplay_runtime::WorkError;

use crate::args::{MatchArgs, RatingsArgs, ReplayArgs, TournamentArgs};
use crate::error::CommandError;
use crate::record_writer::{RecordWriter, recorded_game};
use crate::terminal::{Terminal, percent, print, table, write_svg};

pub(crate) fn run_match(terminal: &Terminal, options: &MatchArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(&options.game)?;
    let plan = MatchPlan {
        games: options.contest.games,
        seed: options.contest.seed,
        random_plies: options.contest.random_plies,
        fixed_seats: options.fixed_seats,
        threads: options.contest.threads,
        sprt: options.sprt.as_deref().map(read_sprt).transpose()?,
    };
    let players = terminal.watch(|watch| board.entrants(&options.players, watch))?;
    let mut writer = RecordWriter::of_contest(&options.contest)?;
    let report = terminal
        .watch(|watch| writer.while_recording(|records| players.run_match_of_all(&plan, records, watch)))?;
    terminal.print_result(&report, || draw_match(&report));
    writer.close()?;
    if report.summary.interrupted { Err(WorkError::Stopped) } else { Ok(()) }
}

fn read_sprt(text: &str) -> Result<Sprt, WorkError> {
    let malformed = || CommandError::SprtForm { text: text.to_owned() };
    let (elo0, elo1) = text.split_once(',').ok_or_else(malformed)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| malformed());
    let refused = |reason| CommandError::Sprt { text: text.to_owned(), reason };
    Ok(Sprt::new(number(elo0)?, number(elo1)?).map_err(refused)?)
}

/// The warning that games repeat each other; `None` if they do not.
fn draw_repetition(games: u64, distinct: u64) -> Option<String> {
    (distinct < games).then(|| {
        format!(
            "only {distinct} different games among {games}, and the intervals count no more \
             (--random-plies makes others)"
        )
    })
}

/// The sentence about players that forfeited games; `None` if there were none.
fn draw_forfeits(players: &[String], summary: &MatchSummary) -> Option<String> {
    let reason = summary.forfeit_reason.as_ref()?;
    let given_up = players.iter().zip(summary.forfeits).filter(|(_, games)| *games > 0);
    let words: Vec<String> = given_up.map(|(name, games)| format!("{name} gave up {games} games")).collect();
    Some(format!("{}; the first time because {reason}", words.join(" and ")))
}

fn draw_match(report: &MatchReport) -> String {
    let MatchSummary { games, distinct_games, tally, score, score_low, score_high, elo, superiority, .. } =
        &report.summary;
    let name = &report.players[0];
    let number =
        |value: Option<f64>, end: &str| value.map_or_else(|| end.to_owned(), |value| format!("{value:+.0}"));
    let share = |value: &Option<f64>| value.map_or_else(String::new, percent);
    let seat = |tally: &Tally| format!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses);
    let mut lines = vec![
        format!("{name}: {} in {games} games", seat(tally)),
        format!("score {} (95%: {} to {})", share(score), share(score_low), share(score_high)),
    ];
    if report.players.len() == 2 {
        lines.push(format!(
            "Elo {} (95%: {} to {}) against {}; likelihood of superiority {}",
            number(elo.elo, if *score == Some(0.0) { "−∞" } else { "∞" }),
            number(elo.elo_low, "−∞"),
            number(elo.elo_high, "∞"),
            report.players[1],
            share(superiority),
        ));
        lines.push(format!("sitting first: {}", seat(&report.summary.sitting_first)));
        lines.push(format!("sitting second: {}", seat(&report.summary.sitting_second)));
    }
    if let Some(sprt) = &report.summary.sprt {
        let verdict = match sprt.verdict {
            SprtVerdict::Continue => "not settled",
            SprtVerdict::AcceptH0 => "H0 accepted",
            SprtVerdict::AcceptH1 => "H1 accepted",
        };
        lines.push(format!(
            "SPRT: {verdict}, ratio {:.2} between {:.2} and {:.2}",
            sprt.llr, sprt.lower, sprt.upper
        ));
    }
    lines.extend(draw_forfeits(&report.players, &report.summary));
    lines.extend(draw_repetition(*games, *distinct_games));
    if report.summary.interrupted {
        lines.push("stopped before the end; the games above count".to_owned());
    }
    lines.join("\n")
}

pub(crate) fn run_tournament(terminal: &Terminal, options: &TournamentArgs) -> Result<(), WorkError> {
    let board = terminal.open_game(&options.game)?;
    let plan = TournamentPlan {
        games: options.contest.games,
        seed: options.contest.seed,
        random_plies: options.contest.random_plies,
        threads: options.contest.threads,
    };
    let players = terminal.watch(|watch| board.entrants(&options.players, watch))?;
    let mut writer = RecordWriter::of_contest(&options.contest)?;
    let report = terminal
        .watch(|watch| writer.while_recording(|records| players.run_tournament(&plan, records, watch)))?;
    terminal.print_result(&report, || draw_tournament(&report));
    writer.close()?;
    if report.interrupted { Err(WorkError::Stopped) } else { Ok(()) }
}

fn draw_tournament(report: &TournamentReport) -> String {
    let players = &report.table.players;
    let numbers: Vec<String> = (1..=players.len()).map(|number| number.to_string()).collect();
    let mut header = vec!["", "player"];
    header.extend(numbers.iter().map(String::as_str));
    let rows = players.iter().zip(&report.table.cells).zip(&numbers).map(|((name, cells), number)| {
        let cell = |cell: &Option<outplay_arena::tournament::CrossTableCell>| {
            cell.map_or_else(
                || "·".to_owned(),
                |cell| {
                    let Tally { wins, draws, losses } = cell.tally;
                    format!("{}\n+{wins} ={draws} −{losses}", cell.points)
                },
            )
        };
        let mut row = vec![number.clone(), name.clone()];
        row.extend(cells.iter().map(cell));
        row
    });
    let given_up = report.table.standings.iter().filter(|row| row.forfeits > 0);
    let given_up: String =
        given_up.map(|row| format!("\n{} gave up {} games", row.name, row.forfeits)).collect();
    format!("{}\n{}{given_up}", table(&header, rows), draw_ratings(&report.ratings))
}

fn draw_ratings(ratings: &Ratings) -> String {
    let rows = ratings.players.iter().map(|player| {
        let interval = format!("{:+.0} to {:+.0}", player.elo.elo_low, player.elo.elo_high);
        let points = format!("{} of {}", player.points, player.games);
        vec![player.name.clone(), format!("{:+.0}", player.elo.elo), interval, points]
    });
    let first = ratings.sitting_first.as_ref().map_or_else(String::new, |first| {
        format!(
            "\nsitting first is worth {:+.0} Elo ({:+.0} to {:+.0})",
            first.elo, first.elo_low, first.elo_high
        )
    });
    let repetition = draw_repetition(ratings.games, ratings.distinct_games);
    let repetition = repetition.map_or_else(String::new, |sentence| format!("\n{sentence}"));
    format!("{}{first}{repetition}", table(&["player", "Elo", "95%", "points"], rows))
}

pub(crate) fn ratings(terminal: &Terminal, options: &RatingsArgs) -> Result<(), WorkError> {
    let open = |game: &str| -> Result<Fingerprint, WorkError> {
        let board = terminal.open_game(game)?;
        Ok(Box::new(move |record| board.fingerprint(record)))
    };
    let ratings = rate_files(&options.files, &open)?;
    terminal.print_result(&ratings, || draw_ratings(&ratings));
    Ok(())
}

pub(crate) fn replay(terminal: &Terminal, options: &ReplayArgs) -> Result<(), WorkError> {
    let (record, _) = recorded_game("--game", options.game, &options.file)?;
    let snapshots = terminal.open_game(&record.game)?.replay(&record)?;
    if let Some(last) = snapshots.last() {
        write_svg(options.svg.as_deref(), &last.scene)?;
    }
    if terminal.wants_json() {
        for snapshot in &snapshots {
            print(&serde_json::json!(snapshot).to_string());
        }
        return Ok(());
    }
    print(&format!("{}: {}", record.game, record.players.join(" against ")));
    for snapshot in &snapshots {
        let played =
            snapshot.moves.last().map_or_else(String::new, |mv| format!("{}. {mv}\n", snapshot.moves.len()));
        print(&format!("{played}{}\n", snapshot.scene.to_text()));
    }
    print(snapshots.last().and_then(|last| last.outcome.as_deref()).unwrap_or("unfinished"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Text;
    use proptest::prelude::*;

    proptest! {
        /// The value of `--sprt` is two numbers in order, or refused in one sentence that quotes it.
        #[test]
        fn any_text_is_a_test_or_refused(text in prop_oneof![
            any::<String>(),
            "[-+]?[0-9.eE]{0,6},[ ]?[-+]?[0-9.eE]{0,6}",
            "(nan|inf|-inf|1e999|-0|0),(nan|inf|-inf|1e999|-0|0)",
        ]) {
            match read_sprt(&text) {
                Ok(_) => {
                    let (elo0, elo1) = text.split_once(',').unwrap();
                    let [elo0, elo1] = [elo0, elo1].map(|elo| elo.trim().parse::<f64>().unwrap());
                    prop_assert!(elo0 < elo1 && elo0.is_finite() && elo1.is_finite());
                }
                Err(refusal) => {
                    let named = format!("--sprt {}: ", Text::of(&text));
                    prop_assert!(refusal.to_string().starts_with(&named), "{}", refusal);
                }
            }
        }

        #[test]
        fn two_numbers_in_order_are_a_test(elo0 in -500.0..500.0f64, more in 0.1..500.0f64) {
            let text = format!("{elo0},{}", elo0 + more);
            prop_assert_eq!(read_sprt(&text).unwrap(), Sprt::new(elo0, elo0 + more).unwrap());
        }
    }
}
