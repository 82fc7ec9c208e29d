//! The standing of a tournament, counted game by game.

use std::collections::{BTreeMap, HashMap};

use outplay_arena::GameRecord;
use outplay_arena::knockout::{Bracket, BracketSlot, RankedEntrant};
use outplay_arena::ratings::{Encounter, rate};
use outplay_arena::stats::Tally;
use outplay_core::Seat;
use serde_json::{Value, json};

/// The results so far.
pub(super) struct TournamentStanding {
    players: Vec<String>,
    places: HashMap<String, usize>,
    /// By the indices of the players in the first and second seat, from the first seat's point of view.
    tallies: BTreeMap<(usize, usize), Tally>,
    /// In a one-player game, by index of the player.
    alone: BTreeMap<usize, Tally>,
    /// How many games are still to be counted; later ones belong to the final.
    counted: u64,
    /// The final, if there is one and it has begun.
    bracket: Option<Value>,
}

impl TournamentStanding {
    pub(super) fn new(players: &[String]) -> Self {
        let places = players.iter().cloned().zip(0..).collect();
        Self {
            players: players.to_vec(),
            places,
            tallies: BTreeMap::new(),
            alone: BTreeMap::new(),
            counted: u64::MAX,
            bracket: None,
        }
    }

    /// The preselection of a knock-out: every pair meets twice.
    pub(super) fn of_preselection(players: &[String]) -> Self {
        let entrants = players.len() as u64;
        Self { counted: entrants * entrants.saturating_sub(1), ..Self::new(players) }
    }

    /// Takes over the state of the final, which names players as the lab reads them.
    pub(super) fn watch_final(&mut self, bracket: &Bracket, resolved: &[String]) {
        let place = |name: &String| resolved.iter().position(|resolved| resolved == name);
        let slot = |slot: &BracketSlot| {
            let BracketSlot { players, legs, winner, settled_by } = slot;
            let players: Vec<Option<usize>> = players.iter().map(place).collect();
            let winner = winner.as_ref().and_then(place);
            json!({ "players": players, "legs": legs, "winner": winner, "settled_by": settled_by })
        };
        let ranked = |ranked: &RankedEntrant| json!({ "player": place(&ranked.name), "wins": ranked.wins, "points": ranked.points });
        let rounds: Vec<Vec<Value>> =
            bracket.rounds.iter().map(|round| round.iter().map(slot).collect()).collect();
        let ranking: Vec<Value> = bracket.ranking.iter().map(ranked).collect();
        self.bracket = Some(json!({ "ranking": ranking, "rounds": rounds }));
    }

    /// Counts a game.
    pub(super) fn count(&mut self, record: &GameRecord) {
        if self.counted == 0 {
            return;
        }
        self.counted -= 1;
        let place = |player: &String| self.places.get(player).copied();
        match record.players.as_slice() {
            [first, second] => {
                let Some(pair) = place(first).zip(place(second)) else { return };
                self.tallies.entry(pair).or_default().count(record.outcome, Seat::First);
            }
            [only] => {
                let Some(place) = place(only) else { return };
                self.alone.entry(place).or_default().count(record.outcome, Seat::First);
            }
            _ => {}
        }
    }

    /// The cross-table and the ratings.
    pub(super) fn report(&self) -> Value {
        let ratings = if self.alone.is_empty() { self.ratings() } else { self.shares() };
        let mut report = json!({ "players": self.players, "pairs": self.pairs(), "ratings": ratings });
        if let Some(bracket) = &self.bracket {
            report["bracket"] = bracket.clone();
        }
        report
    }

    /// Every pair that has met, from the point of view of the player listed first.
    fn pairs(&self) -> Vec<Value> {
        let mut pairs: BTreeMap<(usize, usize), Tally> = BTreeMap::new();
        for (&(first, second), tally) in &self.tallies {
            let (pair, tally) =
                if first < second { ((first, second), *tally) } else { ((second, first), tally.reversed()) };
            let entry = pairs.entry(pair).or_default();
            *entry = [*entry, tally].into_iter().sum();
        }
        let written = |((first, second), tally): ((usize, usize), Tally)| {
            let Tally { wins, draws, losses } = tally;
            json!({ "first": first, "second": second, "wins": wins, "draws": draws, "losses": losses })
        };
        pairs.into_iter().map(written).collect()
    }

    fn ratings(&self) -> Vec<Value> {
        let encounter = |(&(first, second), &tally): (&(usize, usize), &Tally)| Encounter {
            first: &self.players[first],
            second: &self.players[second],
            tally,
            distinct: tally.games(),
        };
        let encounters: Vec<Encounter<'_>> = self.tallies.iter().map(encounter).collect();
        if encounters.is_empty() {
            return Vec::new();
        }
        let ratings = rate(&encounters, true);
        let written = |rating: &outplay_arena::ratings::Rating| {
            json!({
                "player": self.places[&rating.name],
                "points": rating.points,
                "games": rating.games,
                "elo": rating.elo.elo,
                "elo_low": rating.elo.elo_low,
                "elo_high": rating.elo.elo_high,
            })
        };
        ratings.players.iter().map(written).collect()
    }

    /// How often each player won, in a one-player game.
    fn shares(&self) -> Vec<Value> {
        let mut rows: Vec<(usize, Tally)> =
            self.alone.iter().map(|(&place, &tally)| (place, tally)).collect();
        rows.sort_by(|a, b| (b.1.wins * a.1.games()).cmp(&(a.1.wins * b.1.games())));
        let written = |(place, tally): (usize, Tally)| {
            let interval = outplay_arena::stats::wilson(tally.wins, tally.games());
            json!({
                "player": place,
                "points": tally.points(),
                "games": tally.games(),
                "share": tally.wins as f64 / tally.games().max(1) as f64,
                "share_low": interval.low,
                "share_high": interval.high,
            })
        };
        rows.into_iter().map(written).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_wins(players: &[&str]) -> GameRecord {
        GameRecord {
            format: GameRecord::FORMAT,
            game: "pushover".to_owned(),
            players: players.iter().map(ToString::to_string).collect(),
            seed: 0,
            index: 0,
            setup: 0,
            position: None,
            random_plies: 0,
            moves: Vec::new(),
            outcome: outplay_core::Outcome::Win(Seat::First),
            plies: 0,
            forfeit: None,
        }
    }

    #[test]
    fn games_of_the_final_are_not_counted_twice() {
        let mut standing = TournamentStanding::of_preselection(&["a".to_owned(), "b".to_owned()]);
        for _ in 0..5 {
            standing.count(&first_wins(&["a", "b"]));
        }
        assert_eq!(standing.report()["pairs"][0]["wins"], 2);
    }

    #[test]
    fn pairs_are_counted_from_the_player_listed_first() {
        let mut standing = TournamentStanding::new(&["a".to_owned(), "b".to_owned()]);
        standing.count(&first_wins(&["a", "b"]));
        standing.count(&first_wins(&["b", "a"]));
        standing.count(&first_wins(&["a", "b"]));
        let report = standing.report();
        assert_eq!(report["pairs"], json!([{ "first": 0, "second": 1, "wins": 2, "draws": 0, "losses": 1 }]));
        assert_eq!(report["ratings"][0]["player"], 0);
        assert_eq!(report["ratings"][0]["points"], 2.0);
    }
}
