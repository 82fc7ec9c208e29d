//! The data base of labelled positions as a file: made, read, described.
//!
//! The same parameters and seed give the same bytes, on any number of threads.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use outplay_core::{Outcome, Player, Referee, errors};
use outplay_games::pushover::database::{
    DatabaseSummary, LabelledPosition, LabelledPositionError, summarise,
};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert};
use outplay_players::{Minimax, Random, TerminalAwareness};

use crate::params;
use crate::params::{Tracked, USUAL_MEMORY};
use crate::registry::DataReport;
use outplay_arena::matches::{Contestant, MatchPlan, MatchProgress, run_match};
use outplay_runtime::files::{read_bytes, write_atomically};
use outplay_runtime::{Progress, Watch, WorkError};

params! {
    /// How a data base is made; the defaults are the document's.
    pub(super) struct ExpertGamesParams {
        games: Tracked<u64> = 3000.into(), in 1..=10_000_000,
            "games the expert plays against itself" | "parties de l’expert contre lui-même";
        depth: Tracked<u32> = 2.into(), in 0..=6,
            "plies the expert looks ahead; with 0 all moves are random"
            | "demi-coups que l’expert regarde ; avec 0 tous les coups sont au hasard";
        opening: Tracked<u32> = 6.into(), in 0..=40,
            "random plies at the start of each game" | "coups au hasard au début de chaque partie";
    }
    // All positions are kept, of which a game has less than thirty on average; a list that grows is up to twice as long.
    memory |own| u32::try_from((*own.games * 60 * size_of::<LabelledPosition<5>>() as u64) >> 20)
        .unwrap_or(u32::MAX)
        .saturating_add(USUAL_MEMORY)
}

impl ExpertGamesParams {
    /// The first parameter that the user gave.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("games", self.games.is_given()),
            ("depth", self.depth.is_given()),
            ("opening", self.opening.is_given()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

/// How the expert plays against itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpertGames {
    /// Games.
    pub games: u64,
    /// Plies the expert looks ahead; with none, all moves are random (§4.7).
    pub depth: u32,
    /// Random plies at the start of each game.
    pub opening: u32,
    /// The seed.
    pub seed: u64,
}

impl ExpertGames {
    /// The document's data base: 3000 games of e2 against itself, six random plies each.
    pub const fn of_document(seed: u64) -> Self {
        Self { games: 3000, depth: 2, opening: 6, seed }
    }

    pub(super) fn of(params: &ExpertGamesParams, seed: u64) -> Self {
        Self { games: *params.games, depth: *params.depth, opening: *params.opening, seed }
    }
}

/// Labelled positions and how many games they come from.
#[derive(Clone, Debug)]
pub struct Database<const N: usize> {
    /// The positions of all decided games, in order of play.
    pub positions: Vec<LabelledPosition<N>>,
    /// Games that nobody won, which leave no positions.
    pub drawn: u64,
}

/// Lets the expert play against itself and labels what happened.
pub fn play<const N: usize>(
    game: &Referee<Pushover<N>>,
    plan: ExpertGames,
    watch: Watch<'_>,
) -> Result<Database<N>, WorkError> {
    let make = || -> Box<dyn Player<Pushover<N>>> {
        if plan.depth == 0 {
            return Box::new(Random);
        }
        Box::new(Minimax::new(
            PushoverExpert::<N>::new(ExpertWeights::default()),
            plan.depth,
            TerminalAwareness::Outcomes,
        ))
    };
    let expert = Contestant { name: "expert", make: &make };
    let matches = MatchPlan {
        games: plan.games,
        seed: plan.seed,
        random_plies: plan.opening,
        fixed_seats: true,
        ..MatchPlan::default()
    };
    let mut show = |progress: &MatchProgress<'_, _>| {
        let done = progress.standing.tally().games();
        watch.show(Progress {
            task: "the expert plays itself",
            done,
            total: progress.planned,
            unit: "games",
        });
    };
    let result = run_match(game, &[expert, expert], &matches, &mut show, watch.stop_flag())?;
    if result.interrupted {
        return Err(WorkError::Stopped);
    }
    let mut database = Database { positions: Vec::new(), drawn: 0 };
    for played in &result.games {
        match played.outcome {
            Outcome::Win(winner) => {
                database.positions.extend(LabelledPosition::of_game(&game.start, &played.moves, winner));
            }
            Outcome::Draw => database.drawn += 1,
        }
    }
    Ok(database)
}

errors! {
    /// Why a file is not a data base.
    pub enum DatabaseError {
        NotText { line: usize, path: PathBuf } =
            "line {line} of {path} is damaged: it is not a text"
            | "la ligne {line} de {path} est abîmée : ce n’est pas un texte",
        Line { line: usize, path: PathBuf, reason: LabelledPositionError } =
            "line {line} of {path} is damaged: {reason}" | "la ligne {line} de {path} est abîmée : {reason}",
        Empty { path: PathBuf } = "{path} holds no positions" | "{path} ne contient aucune position",
    }
}

/// The positions in a file.
pub fn read<const N: usize>(path: &Path) -> Result<Vec<LabelledPosition<N>>, WorkError> {
    let bytes = read_bytes(path)?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].lines().count().max(1);
        DatabaseError::NotText { line, path: path.to_owned() }
    })?;
    let positions: Vec<LabelledPosition<N>> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(text, line)| {
            let damaged = |reason| DatabaseError::Line { line, path: path.to_owned(), reason };
            LabelledPosition::read_line(text).map_err(damaged)
        })
        .collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(DatabaseError::Empty { path: path.to_owned() }.into());
    }
    Ok(positions)
}

/// Writes the positions, one line each.
pub fn write<const N: usize>(path: &Path, positions: &[LabelledPosition<N>]) -> Result<(), WorkError> {
    Ok(write_atomically(path, |writer| {
        positions.iter().try_for_each(|labelled| writeln!(writer, "{}", labelled.write_line()))
    })?)
}

/// What the document says of its data base, by name.
pub(super) fn report<const N: usize>(positions: &[LabelledPosition<N>], drawn: Option<u64>) -> DataReport {
    let DatabaseSummary { positions, distinct, decided_games, won_by_o, late } = summarise(positions);
    let mut report = DataReport::new();
    report.insert("positions".into(), positions.into());
    report.insert("distinct".into(), distinct.into());
    report.insert("decided_games".into(), decided_games.into());
    report.insert("won_by_o".into(), won_by_o.into());
    report.insert("late_positions".into(), late.into());
    if let Some(drawn) = drawn {
        report.insert("drawn_games".into(), drawn.into());
    }
    report
}
