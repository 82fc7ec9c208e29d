//! A tournament with a preselection and a final, as INFO-F-106 held it (§4.3).
//!
//! Every pair of entrants plays two games, one in each seat; the best by games won go on to a knock-out. There a tie is
//! won by winning both games; otherwise it is replayed on another board.
//!
//! Invariants:
//! - the result depends on the plan and the entrants alone, not on the threads;
//! - all ties of one tournament are replayed on the same boards, in the same order; a game that has no other boards
//!   begins with two, four or six random moves instead, in turn;
//! - a tie that [`REPLAYS`] replays do not settle is settled by the points made in it, then by the preselection.

use outplay_core::{Rng, errors};
use serde::Serialize;

use outplay_runtime::{Progress, Watch, WorkError};

use crate::contest::{Entrants, MatchReport, TournamentReport};
use crate::matches::MatchPlan;
use crate::record::RecordSink;
use crate::tournament::TournamentPlan;

/// How often a tie is played again at most.
pub const REPLAYS: u32 = 50;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct KnockoutPlan {
    /// Places in the final, a power of two; fewer where there are fewer entrants.
    pub places: usize,
    /// The seed of every random choice.
    pub seed: u64,
    /// How many games are played at a time.
    pub threads: Option<usize>,
}

/// A tournament that has ended.
#[derive(Clone, Debug, Serialize)]
pub struct KnockoutReport {
    /// The preselection.
    pub preselection: TournamentReport,
    /// Everyone by games won in it, then by points, then in the order in which they were named.
    pub ranking: Vec<RankedEntrant>,
    /// The final, round by round; the last round is one pairing.
    pub rounds: Vec<Vec<Tie>>,
    /// Who won it.
    pub champion: String,
}

/// An entrant after the preselection.
#[derive(Clone, Debug, Serialize)]
pub struct RankedEntrant {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Points made.
    pub points: f64,
}

/// A pairing of the final.
#[derive(Clone, Debug, Serialize)]
pub struct Tie {
    /// Who met, the better of the preselection first.
    pub players: [String; 2],
    /// What was played, two games each.
    pub legs: Vec<Leg>,
    /// Who won.
    pub winner: String,
    /// `games` if the winner won both games of the last leg, else `points` or `preselection`.
    pub settled_by: &'static str,
}

/// Two games on one board.
#[derive(Clone, Debug, Serialize)]
pub struct Leg {
    /// The game.
    pub game: String,
    /// Random moves before the players took over.
    pub random_plies: u32,
    /// Games won by each.
    pub wins: [u64; 2],
    /// Games won by nobody.
    pub draws: u64,
}

/// The final while it is played: every pairing, those to come included.
#[derive(Clone, Debug, Serialize)]
pub struct Bracket {
    /// Everyone after the preselection, as in [`KnockoutReport::ranking`].
    pub ranking: Vec<RankedEntrant>,
    /// Round by round, from above; the winners of a round's pairings `2n` and `2n + 1` meet in pairing `n` of the next.
    pub rounds: Vec<Vec<BracketSlot>>,
}

/// A pairing of the final, as far as it is known.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BracketSlot {
    /// Who meets, the better of the preselection first; fewer than two while a pairing before this one is open.
    pub players: Vec<String>,
    /// What was played so far, two games each, counted in the order of `players`.
    pub legs: Vec<Leg>,
    /// Who won.
    pub winner: Option<String>,
    /// As in [`Tie::settled_by`].
    pub settled_by: Option<&'static str>,
}

errors! {
    /// Why a knock-out cannot be played.
    pub enum KnockoutError {
        Places { places: usize } =
            "a knock-out of {places}: expected a power of two from 2 on"
            | "une phase finale à {places} : attendu une puissance de deux à partir de 2",
    }
}

/// Called with the bracket whenever two more games of the final are played.
pub type BracketObserver<'a> = dyn FnMut(&Bracket) + Send + 'a;

impl Bracket {
    /// Nothing is played yet.
    fn new(ranking: Vec<RankedEntrant>, places: usize) -> Self {
        let order = seeding(places);
        let first = order.chunks_exact(2).map(|pair| BracketSlot {
            players: pair.iter().map(|&place| ranking[place].name.clone()).collect(),
            ..BracketSlot::default()
        });
        let mut rounds: Vec<Vec<BracketSlot>> = vec![first.collect()];
        while rounds[rounds.len() - 1].len() > 1 {
            let ties = rounds[rounds.len() - 1].len() / 2;
            rounds.push(vec![BracketSlot::default(); ties]);
        }
        Self { ranking, rounds }
    }

    fn place_of(&self, name: &str) -> usize {
        self.ranking.iter().position(|ranked| ranked.name == name).expect("everyone is ranked")
    }

    /// Records the winner of a pairing and moves it to the next round.
    fn settle(&mut self, round: usize, number: usize, tie: &Tie) {
        let slot = &mut self.rounds[round][number];
        (slot.winner, slot.settled_by) = (Some(tie.winner.clone()), Some(tie.settled_by));
        if let Some(next) = self.rounds.get(round + 1) {
            let mut players = next[number / 2].players.clone();
            players.push(tie.winner.clone());
            players.sort_by_key(|name| self.place_of(name));
            self.rounds[round + 1][number / 2].players = players;
        }
    }
}

/// The boards on which tied matches are played again.
pub trait ReplayBoards {
    /// Plays a match between these two on the board for the n-th replay; `None` if the game has only one board.
    fn run_match(
        &self,
        replay: u32,
        players: &[String; 2],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<Option<MatchReport>, WorkError>;
}

/// Plays the whole tournament; `show` sees the final from its draw on.
pub fn run_knockout(
    entrants: &dyn Entrants,
    replays: &dyn ReplayBoards,
    plan: &KnockoutPlan,
    mut records: Option<&mut (dyn RecordSink + '_)>,
    show: &mut BracketObserver<'_>,
    watch: Watch<'_>,
) -> Result<KnockoutReport, WorkError> {
    if !plan.places.is_power_of_two() || plan.places < 2 {
        return Err(KnockoutError::Places { places: plan.places }.into());
    }
    let pairs = TournamentPlan { games: 2, seed: plan.seed, threads: plan.threads, random_plies: 0 };
    let preselection = entrants.run_tournament(&pairs, records.as_deref_mut(), watch)?;
    if preselection.interrupted {
        return Err(WorkError::Stopped);
    }
    let bracket = Bracket::new(rank(&preselection), plan.places.min(1 << entrants.names().len().ilog2()));
    let mut knockout = KnockoutFinal { entrants, replays, plan, records, show, watch, bracket, ties: 0 };
    (knockout.show)(&knockout.bracket);
    let mut rounds: Vec<Vec<Tie>> = Vec::new();
    for round in 0..knockout.bracket.rounds.len() {
        let ties = (0..knockout.bracket.rounds[round].len()).map(|number| knockout.settle(round, number));
        rounds.push(ties.collect::<Result<_, WorkError>>()?);
    }
    let champion = rounds[rounds.len() - 1][0].winner.clone();
    Ok(KnockoutReport { champion, preselection, ranking: knockout.bracket.ranking, rounds })
}

fn rank(preselection: &TournamentReport) -> Vec<RankedEntrant> {
    let cells = preselection.table.players.iter().zip(&preselection.table.cells);
    let mut ranking: Vec<RankedEntrant> = cells
        .map(|(name, cells)| {
            let met = || cells.iter().flatten();
            let wins = met().map(|cell| cell.tally.wins).sum();
            RankedEntrant { name: name.clone(), wins, points: met().map(|cell| cell.points).sum() }
        })
        .collect();
    ranking.sort_by(|a, b| b.wins.cmp(&a.wins).then(b.points.total_cmp(&a.points)));
    ranking
}

/// The places of the preselection in the order of the bracket: the best can meet only in the last round.
fn seeding(places: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < places {
        let doubled = 2 * order.len();
        order = order.into_iter().flat_map(|place| [place, doubled - 1 - place]).collect();
    }
    order
}

/// How many random moves a replay begins with in a game that has no other boards.
const fn opening(replay: u32) -> u32 {
    match replay {
        0 => 0,
        _ => 2 + 2 * ((replay - 1) % 3),
    }
}

/// The final while it is played.
struct KnockoutFinal<'a, 'r, 's> {
    entrants: &'a dyn Entrants,
    replays: &'a dyn ReplayBoards,
    plan: &'a KnockoutPlan,
    records: Option<&'a mut (dyn RecordSink + 'r)>,
    show: &'a mut BracketObserver<'s>,
    watch: Watch<'a>,
    bracket: Bracket,
    ties: u64,
}

impl KnockoutFinal<'_, '_, '_> {
    fn settle(&mut self, round: usize, number: usize) -> Result<Tie, WorkError> {
        let players: [String; 2] =
            self.bracket.rounds[round][number].players.clone().try_into().expect("both are known by now");
        let mut legs: Vec<Leg> = Vec::new();
        let mut settled = None;
        for replay in 0..=REPLAYS {
            self.report();
            let leg = self.play(&players, replay)?;
            let winner = (0..2).find(|&side| leg.wins[side] == 2);
            legs.push(leg.clone());
            self.bracket.rounds[round][number].legs.push(leg);
            if let Some(side) = winner {
                settled = Some((side, "games"));
                break;
            }
            (self.show)(&self.bracket);
        }
        let (side, settled_by) = settled.unwrap_or_else(|| {
            let won = |side: usize| legs.iter().map(|leg| leg.wins[side]).sum::<u64>();
            match won(0).cmp(&won(1)) {
                std::cmp::Ordering::Less => (1, "points"),
                std::cmp::Ordering::Greater => (0, "points"),
                std::cmp::Ordering::Equal => (0, "preselection"),
            }
        });
        self.ties += 1;
        let winner = players[side].clone();
        let tie = Tie { players, legs, winner, settled_by };
        self.bracket.settle(round, number, &tie);
        (self.show)(&self.bracket);
        self.report();
        Ok(tie)
    }

    /// Shows how many pairings are settled: how many games each will take nobody knows.
    fn report(&self) {
        let total = self.bracket.rounds.iter().map(Vec::len).sum::<usize>() as u64;
        self.watch.show(Progress { task: "knock-out", done: self.ties, total, unit: "ties" });
    }

    /// Two games on the usual board, or on that of a replay.
    fn play(&mut self, players: &[String; 2], replay: u32) -> Result<Leg, WorkError> {
        let number = self.ties << 32 | u64::from(replay);
        let plan = MatchPlan {
            games: 2,
            seed: Rng::stream(!self.plan.seed, number).seed() >> 11,
            threads: self.plan.threads,
            ..MatchPlan::default()
        };
        let quiet = Watch::new(self.watch.stop_flag(), &|_| {});
        let elsewhere = match replay.checked_sub(1) {
            Some(again) => {
                self.replays.run_match(again, players, &plan, self.records.as_deref_mut(), quiet)?
            }
            None => None,
        };
        let (report, random_plies) = if let Some(report) = elsewhere {
            (report, 0)
        } else {
            let random_plies = opening(replay);
            let places = players.each_ref().map(|player| self.place_of(player));
            let plan = MatchPlan { random_plies, ..plan };
            (self.entrants.run_match(&places, &plan, self.records.as_deref_mut(), quiet)?, random_plies)
        };
        if report.summary.interrupted {
            return Err(WorkError::Stopped);
        }
        let tally = report.summary.tally;
        Ok(Leg { game: report.game, random_plies, wins: [tally.wins, tally.losses], draws: tally.draws })
    }

    fn place_of(&self, player: &str) -> usize {
        let names = self.entrants.names();
        names.iter().position(|name| name == player).expect("every finalist is an entrant")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_last() {
        assert_eq!(seeding(2), [0, 1]);
        assert_eq!(seeding(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let mut all = seeding(16);
        assert!(all.chunks(2).all(|pair| pair[0] + pair[1] == 15));
        all.sort_unstable();
        assert_eq!(all, (0..16).collect::<Vec<_>>());
    }
}
