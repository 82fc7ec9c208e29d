//! Two small games and their players: noughts and crosses, where nothing is hidden, and doors, where a trap is.

use std::ops::ControlFlow;

use outplay_core::scene::{Cell, Grid, GridStyle, Scene, Shape, Touch};
use outplay_core::{
    Game, IllegalMove, MalformedPosition, MoveOf, Notation, Outcome, Player, Position, PositionHistory,
    Referee, Rng, Seat, Text, Turn, View, errors,
};

/// Noughts and crosses: the squares of each seat as bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Crosses {
    squares: [u16; 2],
}

const ROWS: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

impl Crosses {
    fn taken(&self) -> u16 {
        self.squares[0] | self.squares[1]
    }

    fn has_row(&self, seat: Seat) -> bool {
        ROWS.iter().any(|&row| self.squares[seat.index()] & row == row)
    }
}

impl View for Crosses {
    type Move = u8;
    const SLOTS: usize = 9;

    fn slot(mv: u8) -> usize {
        usize::from(mv)
    }

    fn seat(&self) -> Seat {
        if self.taken().count_ones().is_multiple_of(2) { Seat::First } else { Seat::Second }
    }

    fn each_move<B>(&self, mut visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_none() {
            for square in (0..9).filter(|&square| self.taken() & (1 << square) == 0) {
                visit(square)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Position for Crosses {
    fn play(&mut self, mv: u8) {
        let seat = self.seat();
        self.squares[seat.index()] |= 1 << mv;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Seat::BOTH.into_iter().find(|&seat| self.has_row(seat)).map(Outcome::Win);
        winner.or_else(|| (self.taken() == FULL).then_some(Outcome::Draw))
    }

    fn key(&self) -> u64 {
        u64::from(self.squares[0]) << 16 | u64::from(self.squares[1])
    }
}

/// The referee of [`Crosses`], with its texts.
pub(crate) struct CrossesGame(Referee<Crosses>);

pub(crate) fn crosses() -> CrossesGame {
    CrossesGame(Referee { start: Crosses::default(), repetitions: Some(3), max_plies: Some(20) })
}

impl Game for CrossesGame {
    type State = PositionHistory<Crosses>;
    type View = Crosses;

    fn start(&self, rng: &mut Rng) -> Self::State {
        self.0.start(rng)
    }

    fn view<'s>(&self, state: &'s Self::State) -> &'s Crosses {
        self.0.view(state)
    }

    fn play(&self, state: &mut Self::State, mv: u8) {
        self.0.play(state, mv);
    }

    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        self.0.outcome(state)
    }

    fn past<'s>(&self, state: &'s Self::State) -> &'s [u64] {
        self.0.past(state)
    }

    fn repetitions(&self) -> Option<u32> {
        self.0.repetitions()
    }

    fn plies_left(&self, state: &Self::State) -> Option<u32> {
        self.0.plies_left(state)
    }
}

errors! {
    /// Why a text is not a move or a position.
    enum ToyError {
        NotANumber { text: String } = "\"{text}\" is not a number" | "« {text} » n’est pas un nombre",
        Taken { text: String } = "\"{text}\" is taken or does not exist" | "« {text} » est pris ou n’existe pas",
        NotSquares { text: String } =
            "\"{text}\" is not two numbers of squares" | "« {text} » n’est pas deux nombres de cases",
        NotDoors { text: String } = "\"{text}\" is not a trap and doors" | "« {text} » n’est pas un piège et des portes",
    }
}

/// A move that is written as its number.
fn read_number<G: Game>(game: &G, state: &G::State, text: &str) -> Result<u8, IllegalMove>
where
    G::View: View<Move = u8>,
{
    let square =
        text.parse().map_err(|_| IllegalMove::new(ToyError::NotANumber { text: text.to_owned() }))?;
    let legal = game.outcome(state).is_none() && game.view(state).is_legal(square);
    legal.then_some(square).ok_or_else(|| IllegalMove::new(ToyError::Taken { text: text.to_owned() }))
}

fn square_cell(square: u8) -> Cell {
    Cell::new(square % 3, square / 3)
}

impl Notation for CrossesGame {
    fn write_move(&self, _state: &Self::State, mv: u8) -> String {
        mv.to_string()
    }

    fn read_move(&self, state: &Self::State, text: &str) -> Result<u8, IllegalMove> {
        read_number(self, state, text)
    }

    fn write_position(&self, state: &Self::State) -> String {
        let [first, second] = state.now.squares;
        format!("{first}/{second}")
    }

    fn read_position(&self, text: &str) -> Result<Self::State, MalformedPosition> {
        let malformed = || MalformedPosition::new(ToyError::NotSquares { text: text.to_owned() });
        let (first, second) = text.split_once('/').ok_or_else(malformed)?;
        let squares = [first.parse().map_err(|_| malformed())?, second.parse().map_err(|_| malformed())?];
        Ok(PositionHistory::from(Crosses { squares }))
    }

    fn draw(&self, state: &Self::State) -> Scene {
        let mut scene = Scene::new(Grid::new(3, 3, GridStyle::Plain));
        for (seat, shape) in Seat::BOTH.into_iter().zip([Shape::Cross, Shape::Nought]) {
            let taken = |&square: &u8| state.now.squares[seat.index()] & (1 << square) != 0;
            (0..9).filter(taken).for_each(|square| scene.put(square_cell(square), shape, Some(seat)));
        }
        scene
    }

    fn touches(&self, mv: u8) -> Vec<Touch> {
        vec![Touch::Cell(square_cell(mv))]
    }

    fn seat_names(&self) -> [Text; 2] {
        ["crosses", "noughts"].map(Text::same)
    }
}

/// What a player sees of the doors: which ones are open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeenDoors(u8);

impl View for SeenDoors {
    type Move = u8;
    const SLOTS: usize = 6;

    fn slot(mv: u8) -> usize {
        usize::from(mv)
    }

    fn seat(&self) -> Seat {
        Seat::First
    }

    fn each_move<B>(&self, mut visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..6).filter(|&door| self.0 & (1 << door) == 0).try_for_each(&mut visit)
    }
}

/// Six doors, a trap behind one of them: open three others.
pub(crate) struct Doors;

#[derive(Clone, Debug)]
pub(crate) struct DoorsState {
    trap: u8,
    seen: SeenDoors,
    past: Vec<u64>,
}

impl Game for Doors {
    type State = DoorsState;
    type View = SeenDoors;

    fn start(&self, rng: &mut Rng) -> DoorsState {
        DoorsState { trap: rng.below(6) as u8, seen: SeenDoors(0), past: Vec::new() }
    }

    fn view<'s>(&self, state: &'s DoorsState) -> &'s SeenDoors {
        &state.seen
    }

    fn play(&self, state: &mut DoorsState, mv: u8) {
        state.past.push(u64::from(state.seen.0));
        state.seen.0 |= 1 << mv;
    }

    fn outcome(&self, state: &DoorsState) -> Option<Outcome> {
        if state.seen.0 & (1 << state.trap) != 0 {
            Some(Outcome::Win(Seat::Second))
        } else {
            (state.seen.0.count_ones() == 3).then_some(Outcome::Win(Seat::First))
        }
    }

    fn past<'s>(&self, state: &'s DoorsState) -> &'s [u64] {
        &state.past
    }

    fn seats(&self) -> usize {
        1
    }
}

impl Notation for Doors {
    fn write_move(&self, _state: &DoorsState, mv: MoveOf<Self>) -> String {
        mv.to_string()
    }

    fn read_move(&self, state: &DoorsState, text: &str) -> Result<u8, IllegalMove> {
        read_number(self, state, text)
    }

    fn write_position(&self, state: &DoorsState) -> String {
        format!("{}/{}", state.trap, state.seen.0)
    }

    fn read_position(&self, text: &str) -> Result<DoorsState, MalformedPosition> {
        let malformed = || MalformedPosition::new(ToyError::NotDoors { text: text.to_owned() });
        let (trap, seen) = text.split_once('/').ok_or_else(malformed)?;
        let (trap, seen) = (trap.parse().map_err(|_| malformed())?, seen.parse().map_err(|_| malformed())?);
        Ok(DoorsState { trap, seen: SeenDoors(seen), past: Vec::new() })
    }

    fn draw(&self, state: &DoorsState) -> Scene {
        let mut scene = Scene::new(Grid::new(6, 1, GridStyle::Plain));
        let closed = (0..6).filter(|door| state.seen.0 & (1 << door) == 0);
        closed.for_each(|door| scene.put(Cell::new(door, 0), Shape::Cover, None));
        scene.caption.push("doors".to_owned());
        scene
    }

    fn touches(&self, mv: u8) -> Vec<Touch> {
        vec![Touch::Cell(Cell::new(mv, 0))]
    }

    fn seat_names(&self) -> [Text; 2] {
        ["guest", "nature"].map(Text::same)
    }
}

/// Plays any move.
pub(crate) struct Random;

impl<V: View> Player<V> for Random {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &V, turn: &mut Turn<'_, V::Move>) -> V::Move {
        view.random_move(turn.rng, &mut Vec::new())
    }
}

/// Plays the first move there is, without any chance.
pub(crate) struct Lazy;

impl<V: View> Player<V> for Lazy {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &V, _turn: &mut Turn<'_, V::Move>) -> V::Move {
        view.moves()[0]
    }
}

/// Takes a row if it can, and plays any move otherwise.
pub(crate) struct Greedy;

impl Player<Crosses> for Greedy {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        let wins = |&mv: &u8| matches!(view.after(mv).outcome(), Some(Outcome::Win(_)));
        view.moves().into_iter().find(wins).unwrap_or_else(|| view.random_move(turn.rng, &mut Vec::new()))
    }
}

/// Looks ahead to the end and takes any of the best moves.
pub(crate) struct Perfect;

impl Player<Crosses> for Perfect {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &Crosses, turn: &mut Turn<'_, u8>) -> u8 {
        let worth: Vec<(u8, i32)> =
            view.moves().into_iter().map(|mv| (mv, -worth(&view.after(mv)))).collect();
        let best = worth.iter().map(|&(_, worth)| worth).max();
        let best: Vec<u8> = worth.iter().filter(|&&(_, w)| Some(w) == best).map(|&(mv, _)| mv).collect();
        turn.rng.pick(&best)
    }
}

/// 1, 0 or −1 for the side to move.
fn worth(position: &Crosses) -> i32 {
    match position.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(winner)) => {
            if winner == position.seat() {
                1
            } else {
                -1
            }
        }
        None => position.moves().into_iter().map(|mv| -worth(&position.after(mv))).max().unwrap_or(0),
    }
}
