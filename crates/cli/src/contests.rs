//! Many games: `match`, `tournament`, `ratings`, `replay`.

use std::collections::BTreeMap;
use std::path::Path;

use outplay_core::Seat;
use outplay_lab::files::{JsonLinesAppender, JsonLinesReader};
use outplay_lab::matches::MatchSummary;
use outplay_lab::ratings::{Encounter, Ratings, rate};
use outplay_lab::registry::{MatchReport, TournamentReport};
use outplay_lab::stats::{Sprt, Tally, Verdict};
use outplay_lab::tournament::TournamentPlan;
use outplay_lab::{GameRecord, LabError, MatchPlan};

use crate::args::{MatchArgs, RatingsArgs, ReplayArgs, TournamentArgs};
use crate::desk::{Desk, percent, print, table};

pub(crate) fn run_match(desk: &Desk, options: &MatchArgs) -> Result<(), LabError> {
    let house = desk.house(&options.game)?;
    let plan = MatchPlan {
        games: options.games,
        seed: options.seed,
        random_plies: options.random_plies,
        fixed_seats: options.fixed_seats,
        threads: options.threads,
        sprt: options.sprt.as_deref().map(read_sprt).transpose()?,
    };
    let mut records = options.record.as_deref().map(JsonLinesAppender::open).transpose()?;
    let report = desk.watch(|watch| house.run_match(&options.players, &plan, watch))?;
    write_records(&mut records, &report.records)?;
    desk.give(&report, || draw_match(&report));
    if report.summary.interrupted { Err(LabError::Stopped) } else { Ok(()) }
}

fn read_sprt(text: &str) -> Result<Sprt, LabError> {
    let malformed = || LabError::refused(format!("--sprt {text}: expected two Elo differences such as 0,10"));
    let (elo0, elo1) = text.split_once(',').ok_or_else(malformed)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| malformed());
    Sprt::new(number(elo0)?, number(elo1)?)
        .map_err(|error| LabError::refused(format!("--sprt {text}: {error}")))
}

fn write_records(file: &mut Option<JsonLinesAppender>, records: &[GameRecord]) -> Result<(), LabError> {
    if let Some(file) = file {
        for record in records {
            file.append(record)?;
        }
        file.sync()?;
    }
    Ok(())
}

fn draw_match(report: &MatchReport) -> String {
    let MatchSummary { games, tally, score, score_low, score_high, elo, superiority, .. } = &report.summary;
    let name = &report.players[0];
    let number = |value: Option<f64>| value.map_or_else(|| "∞".to_owned(), |value| format!("{value:+.0}"));
    let share = |value: &Option<f64>| value.map_or_else(String::new, percent);
    let seat = |tally: &Tally| format!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses);
    let mut lines = vec![
        format!("{name}: {} in {games} games", seat(tally)),
        format!("score {} (95%: {} to {})", share(score), share(score_low), share(score_high)),
    ];
    if report.players.len() == 2 {
        lines.push(format!(
            "Elo {} (95%: {} to {}) against {}; likelihood of superiority {}",
            number(elo.elo),
            number(elo.elo_low),
            number(elo.elo_high),
            report.players[1],
            share(superiority),
        ));
        lines.push(format!("sitting first: {}", seat(&report.summary.sitting_first)));
        lines.push(format!("sitting second: {}", seat(&report.summary.sitting_second)));
    }
    if let Some(sprt) = &report.summary.sprt {
        let verdict = match sprt.verdict {
            Verdict::Continue => "not settled",
            Verdict::AcceptH0 => "H0 accepted",
            Verdict::AcceptH1 => "H1 accepted",
        };
        lines.push(format!(
            "SPRT: {verdict}, ratio {:.2} between {:.2} and {:.2}",
            sprt.llr, sprt.lower, sprt.upper
        ));
    }
    if report.summary.interrupted {
        lines.push("stopped before the end; the games above count".to_owned());
    }
    lines.join("\n")
}

pub(crate) fn run_tournament(desk: &Desk, options: &TournamentArgs) -> Result<(), LabError> {
    let house = desk.house(&options.game)?;
    let plan = TournamentPlan {
        games: options.games,
        seed: options.seed,
        random_plies: options.random_plies,
        threads: options.threads,
    };
    let mut records = options.record.as_deref().map(JsonLinesAppender::open).transpose()?;
    let report = desk.watch(|watch| house.run_tournament(&options.players, &plan, watch))?;
    write_records(&mut records, &report.records)?;
    desk.give(&report, || draw_tournament(&report));
    if report.interrupted { Err(LabError::Stopped) } else { Ok(()) }
}

fn draw_tournament(report: &TournamentReport) -> String {
    let players = &report.table.players;
    let numbers: Vec<String> = (1..=players.len()).map(|number| number.to_string()).collect();
    let mut header = vec!["", "player"];
    header.extend(numbers.iter().map(String::as_str));
    let rows = players.iter().zip(&report.table.cells).zip(&numbers).map(|((name, cells), number)| {
        let cell = |cell: &Option<outplay_lab::tournament::Cell>| {
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
    format!("{}\n{}", table(&header, rows), draw_ratings(&report.ratings))
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
    format!("{}{first}", table(&["player", "Elo", "95%", "points"], rows))
}

fn read_records(path: &Path) -> Result<Vec<GameRecord>, LabError> {
    Ok(JsonLinesReader::open(path)?.collect::<Result<_, _>>()?)
}

pub(crate) fn ratings(desk: &Desk, options: &RatingsArgs) -> Result<(), LabError> {
    let mut results: BTreeMap<[String; 2], Tally> = BTreeMap::new();
    for path in &options.files {
        for record in read_records(path)? {
            let players = <[String; 2]>::try_from(record.players).map_err(|players| {
                LabError::refused(format!(
                    "{} players in a game of {}: expected 2",
                    players.len(),
                    path.display()
                ))
            })?;
            results.entry(players).or_default().count(record.outcome, Seat::First);
        }
    }
    let encounter = |(players, tally): (&'_ [String; 2], &Tally)| -> (String, String, Tally) {
        (players[0].clone(), players[1].clone(), *tally)
    };
    let named: Vec<(String, String, Tally)> = results.iter().map(encounter).collect();
    let encounters: Vec<Encounter<'_>> =
        named.iter().map(|(first, second, tally)| Encounter { first, second, tally: *tally }).collect();
    let ratings = rate(&encounters, true);
    desk.give(&ratings, || draw_ratings(&ratings));
    Ok(())
}

pub(crate) fn replay(desk: &Desk, options: &ReplayArgs) -> Result<(), LabError> {
    let records = read_records(&options.file)?;
    let record =
        usize::try_from(options.game - 1).ok().and_then(|index| records.get(index)).ok_or_else(|| {
            LabError::refused(format!(
                "--game {}: {} has {} games",
                options.game,
                options.file.display(),
                records.len()
            ))
        })?;
    let snapshots = desk.house(&record.game)?.replay(record)?;
    if desk.wants_json() {
        for snapshot in &snapshots {
            print(&serde_json::json!(snapshot).to_string());
        }
        return Ok(());
    }
    print(&format!("{}: {}", record.game, record.players.join(" against ")));
    for snapshot in &snapshots {
        let played =
            snapshot.moves.last().map_or_else(String::new, |mv| format!("{}. {mv}\n", snapshot.moves.len()));
        print(&format!("{played}{}\n", snapshot.picture));
    }
    print(snapshots.last().and_then(|last| last.outcome.as_deref()).unwrap_or("unfinished"));
    Ok(())
}
