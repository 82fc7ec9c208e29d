//! One game between the players of a match.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Game, MoveOf, Outcome, Player, Rng, Seat, Turn, View};

use super::opening::{DrawnOpening, draw_opening};
use super::{Contestant, GameOutcome, MatchError, fingerprint};

/// What the games of a match have in common.
pub(super) struct MatchTable<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) contestants: &'a [Contestant<'a, G::View>],
    pub(super) seed: u64,
    pub(super) random_plies: u32,
    pub(super) paired: bool,
    pub(super) stop: &'a AtomicBool,
    /// Games that were played before, the first ones of the match.
    pub(super) known: Vec<GameOutcome<MoveOf<G>>>,
}

/// The players of one thread, in the order in which they were named.
type Players<V> = Vec<Box<dyn Player<V>>>;

/// Where the first-named player sits in a game of a match: in every second one of a match in pairs on the other side.
pub const fn seat_of_first_named(paired: bool, index: u64) -> Seat {
    if paired && index % 2 == 1 { Seat::Second } else { Seat::First }
}

impl<G: Game> MatchTable<'_, G> {
    pub(super) fn seat_players(&self) -> Players<G::View> {
        self.contestants.iter().map(|contestant| (contestant.make)()).collect()
    }

    /// Game `index`, if it was played before.
    pub(super) fn recall(&self, index: u64) -> Option<GameOutcome<MoveOf<G>>> {
        self.known.get(usize::try_from(index).ok()?).cloned()
    }

    /// Refuses games that did not begin as this match's do.
    pub(super) fn check_known(&self) -> Result<(), MatchError> {
        for (game, index) in self.known.iter().zip(0..) {
            let DrawnOpening { setup, moves, .. } = self.opening(index)?;
            let begins_alike = game.index == index
                && game.first_named == self.first_named(index)
                && (game.setup, game.opening_plies) == (setup, moves.len())
                && game.moves.starts_with(&moves);
            if !begins_alike {
                let players = self.contestants.iter().map(|contestant| contestant.name.to_owned()).collect();
                return Err(MatchError::OtherBeginning { game: index + 1, players });
            }
        }
        Ok(())
    }

    fn opening(&self, index: u64) -> Result<DrawnOpening<G::State, MoveOf<G>>, MatchError> {
        let [seed, ..] = self.seeds();
        let unit = if self.paired { index / 2 } else { index };
        draw_opening(self.game, self.random_plies, Rng::stream(seed, unit).seed())
    }

    fn first_named(&self, index: u64) -> Seat {
        seat_of_first_named(self.paired, index)
    }

    /// Plays game `index`, or nothing if it was called off before its end.
    pub(super) fn play(
        &self,
        players: &mut Players<G::View>,
        index: u64,
        ended: &AtomicBool,
    ) -> Result<Option<GameOutcome<MoveOf<G>>>, MatchError> {
        let [_, player_seeds @ ..] = self.seeds();
        let DrawnOpening { setup, mut state, mut moves } = self.opening(index)?;
        let opening_plies = moves.len();
        let mut rngs = player_seeds.map(|seed| Rng::stream(seed, index));
        let first_named = self.first_named(index);
        for (player, seat) in players.iter_mut().zip([first_named, !first_named]) {
            player.new_game(seat);
        }
        let (outcome, forfeit) = loop {
            if let Some(outcome) = self.game.outcome(&state) {
                break (outcome, None);
            }
            if ended.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let named = usize::from(self.game.view(&state).seat() != first_named);
            let answer = self.ask(players[named].as_mut(), &state, &mut rngs[named]);
            // An answer given after the flag was raised may be a hasty one.
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let mv = match answer {
                Ok(mv) => mv,
                Err(reason) => break (Outcome::Win(!self.game.view(&state).seat()), Some(reason)),
            };
            self.check(mv, &state, named, index, moves.len())?;
            self.game.play(&mut state, mv);
            moves.push(mv);
        };
        let fingerprint = fingerprint(self.game, &state, &moves, outcome);
        Ok(Some(GameOutcome {
            index,
            setup,
            first_named,
            opening_plies,
            moves,
            outcome,
            forfeit,
            fingerprint,
        }))
    }

    /// The seeds of the openings and of the two players' own choices.
    fn seeds(&self) -> [u64; 3] {
        [0, 1, 2].map(|use_of_chance| Rng::stream(self.seed, use_of_chance).seed())
    }

    /// The player's move, or why it gives the game up.
    fn ask(
        &self,
        player: &mut dyn Player<G::View>,
        state: &G::State,
        rng: &mut Rng,
    ) -> Result<MoveOf<G>, String> {
        let mut turn = Turn::at(self.game, state, rng).stoppable(self.stop);
        let mv = player.choose(self.game.view(state), &mut turn);
        turn.forfeited().map_or(Ok(mv), Err)
    }

    fn check(
        &self,
        mv: MoveOf<G>,
        state: &G::State,
        named: usize,
        game: u64,
        ply: usize,
    ) -> Result<(), MatchError> {
        if self.game.view(state).is_legal(mv) {
            return Ok(());
        }
        let player = self.contestants[named].name.to_owned();
        Err(MatchError::IllegalMove { player, mv: format!("{mv:?}"), game, ply })
    }
}
