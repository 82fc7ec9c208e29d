//! Round-robin tournaments and their cross-tables. The games themselves are in [`crate::matches`], ratings in
//! [`crate::ratings`].
//!
//! The result depends on the plan and the entrants alone, not on the threads. The seed of a pairing follows from the places of
//! its two players in the list, so adding an entrant at the end changes no other pairing.

use std::sync::atomic::AtomicBool;

use outplay_core::{Game, MoveOf, Rng, Seat, errors};
use serde::Serialize;

use crate::matches::{
    Contestant, GameOutcome, MatchError, MatchPlan, MatchProgress, MatchResult, resume_match,
};
use crate::ratings::Encounter;
use crate::record::RecordError;
use crate::stats::Tally;

/// What to play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentPlan {
    /// Games in each pairing, at most; an even number lets both sit first equally often.
    pub games: u64,
    /// The seed of every random choice.
    pub seed: u64,
    /// How many plies are drawn at random before the players take over.
    pub random_plies: u32,
    /// How many games are played at a time; as many as the machine has cores if not said.
    pub threads: Option<usize>,
}

errors! {
    /// Why a tournament could not be played to its end.
    pub enum TournamentError {
        TooFew { players: usize } =
            "{players} players make no tournament: expected at least 2"
            | "{players} joueurs ne font pas un tournoi : attendu au moins 2",
        NamedTwice { player: String } =
            "the player \"{player}\" was named twice: expected different names"
            | "le joueur « {player} » est nommé deux fois : attendu des noms différents",
        /// A game that is said to have been played was not.
        Record { error: RecordError } = "{error}" | "{error}",
        Match { first: String, second: String, error: MatchError } =
            "{first} against {second}: {error}" | "{first} contre {second} : {error}",
    }
}

impl From<RecordError> for TournamentError {
    fn from(error: RecordError) -> Self {
        Self::Record { error }
    }
}

/// The match of two entrants.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentPairing<M> {
    /// The places of the first-named and the second-named player in the list of entrants.
    pub entrants: [usize; 2],
    /// The seed of the match.
    pub seed: u64,
    /// What came of it, from the first-named player's point of view.
    pub result: MatchResult<M>,
}

/// What an observer is shown after each counted game.
#[derive(Debug)]
pub struct TournamentProgress<'a, M> {
    /// Which match this is, from 0.
    pub pairing: usize,
    /// How many there will be.
    pub pairings: usize,
    /// The places of its players in the list of entrants.
    pub entrants: [usize; 2],
    /// The seed of the match.
    pub seed: u64,
    /// The game, and where the match stands.
    pub game: &'a MatchProgress<'a, M>,
}

/// Called with every counted game, in order.
pub type TournamentObserver<'a, M> = dyn FnMut(&TournamentProgress<'_, M>) + Send + 'a;

/// A tournament that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentResult<M> {
    /// The entrants, in the order in which they were named.
    pub names: Vec<String>,
    /// Their matches, in order of play.
    pub pairings: Vec<TournamentPairing<M>>,
    /// Whether the stop flag ended the tournament.
    pub interrupted: bool,
}

/// The first games of a pairing as far as they are known, by the places of its players and its seed.
pub type RecallGames<'a, M> = dyn FnMut([usize; 2], u64) -> Result<Vec<GameOutcome<M>>, RecordError> + 'a;

/// Plays every entrant against every other. Raising `stop` ends it early, with the games counted so far.
pub fn run_tournament<G: Game>(
    game: &G,
    entrants: &[Contestant<'_, G::View>],
    plan: &TournamentPlan,
    observer: &mut TournamentObserver<'_, MoveOf<G>>,
    stop: &AtomicBool,
) -> Result<TournamentResult<MoveOf<G>>, TournamentError> {
    resume_tournament(game, entrants, plan, &mut |_, _| Ok(Vec::new()), observer, stop)
}

/// Goes on with a tournament of which games are known. They are counted and observed like the others, and not played again.
pub fn resume_tournament<G: Game>(
    game: &G,
    entrants: &[Contestant<'_, G::View>],
    plan: &TournamentPlan,
    recall: &mut RecallGames<'_, MoveOf<G>>,
    observer: &mut TournamentObserver<'_, MoveOf<G>>,
    stop: &AtomicBool,
) -> Result<TournamentResult<MoveOf<G>>, TournamentError> {
    check_names(entrants.iter().map(|entrant| entrant.name))?;
    let schedule = schedule(entrants.len());
    let mut pairings: Vec<TournamentPairing<MoveOf<G>>> = Vec::with_capacity(schedule.len());
    for (number, &[a, b]) in schedule.iter().enumerate() {
        let seed = pairing_seed(plan.seed, a, b);
        let players = [entrants[a], entrants[b]];
        let mut show = |game: &MatchProgress<'_, MoveOf<G>>| {
            observer(&TournamentProgress {
                pairing: number,
                pairings: schedule.len(),
                entrants: [a, b],
                seed,
                game,
            });
        };
        let known = recall([a, b], seed)?;
        let result = resume_match(game, &players, &plan.of_match(seed), known, &mut show, stop);
        let result = result.map_err(|error| {
            let [first, second] = players.map(|player| player.name.to_owned());
            TournamentError::Match { first, second, error }
        })?;
        let interrupted = result.interrupted;
        pairings.push(TournamentPairing { entrants: [a, b], seed, result });
        if interrupted {
            break;
        }
    }
    let interrupted =
        pairings.len() < schedule.len() || pairings.iter().any(|pairing| pairing.result.interrupted);
    let names = entrants.iter().map(|entrant| entrant.name.to_owned()).collect();
    Ok(TournamentResult { names, pairings, interrupted })
}

impl TournamentPlan {
    fn of_match(&self, seed: u64) -> MatchPlan {
        MatchPlan {
            games: self.games,
            seed,
            random_plies: self.random_plies,
            fixed_seats: false,
            threads: self.threads,
            sprt: None,
        }
    }
}

fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), TournamentError> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(TournamentError::NamedTwice { player: name.to_owned() });
        }
        seen.push(name);
    }
    if seen.len() < 2 { Err(TournamentError::TooFew { players: seen.len() }) } else { Ok(()) }
}

fn schedule(entrants: usize) -> Vec<[usize; 2]> {
    (0..entrants).flat_map(|b| (0..b).map(move |a| [a, b])).collect()
}

/// Kept to 53 bits, so that records of the match carry it through JSON unchanged.
fn pairing_seed(seed: u64, a: usize, b: usize) -> u64 {
    let number = b * (b - 1) / 2 + a;
    Rng::stream(seed, number as u64).seed() >> 11
}

/// The points of every player against every other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossTable {
    /// The entrants, in the order in which they were named.
    pub players: Vec<String>,
    /// In row a and column b the results of a against b; nothing if they have not met.
    pub cells: Vec<Vec<Option<CrossTableCell>>>,
    /// The entrants by points, best first; equal ones in the order in which they were named.
    pub standings: Vec<TournamentRow>,
}

/// The results of one player against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CrossTableCell {
    /// Points made.
    pub points: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The results of one player against all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentRow {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Points made.
    pub points: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub tally: Tally,
    /// How many of the games it gave up because it could not go on.
    pub forfeits: u64,
}

impl<M> TournamentResult<M> {
    /// The cross-table of the games counted.
    pub fn cross_table(&self) -> CrossTable {
        let mut cells = vec![vec![None; self.names.len()]; self.names.len()];
        let mut forfeits = vec![0; self.names.len()];
        for TournamentPairing { entrants: [a, b], result, .. } in &self.pairings {
            let tally = result.standing.tally();
            cells[*a][*b] = Some(CrossTableCell::of(tally));
            cells[*b][*a] = Some(CrossTableCell::of(tally.reversed()));
            forfeits[*a] += result.standing.forfeits[0];
            forfeits[*b] += result.standing.forfeits[1];
        }
        let row = |((name, cells), forfeits): ((&String, &Vec<Option<CrossTableCell>>), u64)| {
            let tally: Tally = cells.iter().flatten().map(|cell| cell.tally).sum();
            let (name, games, points) = (name.clone(), tally.games(), tally.points());
            TournamentRow { name, games, points, tally, forfeits }
        };
        let mut standings: Vec<TournamentRow> =
            self.names.iter().zip(&cells).zip(forfeits).map(row).collect();
        standings.sort_by(|a, b| b.points.total_cmp(&a.points));
        CrossTable { players: self.names.clone(), cells, standings }
    }

    /// How many different games there are among all of them.
    pub fn distinct_games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.result.standing.distinct_games()).sum()
    }

    /// The results by seat, for [`crate::ratings::rate`].
    pub fn encounters(&self) -> Vec<Encounter<'_>> {
        let mut encounters = Vec::with_capacity(2 * self.pairings.len());
        for TournamentPairing { entrants, result, .. } in &self.pairings {
            let [a, b] = entrants.map(|entrant| self.names[entrant].as_str());
            let of = |seat: Seat| {
                let standing = &result.standing;
                (standing.by_seat[seat.index()], standing.distinct_by_seat[seat.index()])
            };
            let (tally, distinct) = of(Seat::First);
            encounters.push(Encounter { first: a, second: b, tally, distinct });
            let (tally, distinct) = of(Seat::Second);
            encounters.push(Encounter { first: b, second: a, tally: tally.reversed(), distinct });
        }
        encounters
    }
}

impl CrossTableCell {
    const fn of(tally: Tally) -> Self {
        Self { points: tally.points(), tally }
    }
}
