//! The conformance suite: checks that every game must pass.
//!
//! A game is ready when [`check_game`] (and, if nothing is hidden, [`check_position`]; if positions can be set up by hand,
//! [`check_editor`]; if a learner is shown its positions, [`check_encoder`] and [`check_seat_encoder`]) finds nothing in
//! thousands of random games.

mod seat_encoder;

pub use seat_encoder::check_seat_encoder;

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use crate::scene::{Editable, EditablePosition, Grid, Place, Scene};
use crate::{Change, Encoder, MoveOf, Notation, Position, Referee, Rng, View};

/// All checks of a game without hidden information whose positions end it, over random games from this start.
pub fn check_open_game<P: EditablePosition>(start: &P, games: u64, seed: u64) {
    let game = Referee { start: start.clone(), repetitions: None, max_plies: None };
    check_game(&game, games, usize::MAX, seed);
    check_position(start, games, usize::MAX, seed + 1);
    check_editor(&game, games / 4, usize::MAX, seed + 2);
}

/// Plays `games` random games and checks the invariants of [`View`], [`Game`](crate::Game) and [`Notation`] at every turn.
/// A game that is still running after `max_plies` is left unfinished.
pub fn check_game<G: Notation>(game: &G, games: u64, max_plies: usize, seed: u64) {
    for number in 0..games {
        let mut rng = Rng::stream(seed, number);
        let mut state = game.start(&mut rng);
        let (mut scratch, mut plies, mut last) = (Vec::new(), 0, String::new());
        let mut last_move = None;
        while game.outcome(&state).is_none() && plies < max_plies {
            check_turn(game, &state, last_move);
            let mv = game.view(&state).random_move(&mut rng, &mut scratch);
            assert!(game.view(&state).is_legal(mv), "random_move gave the illegal {mv:?}");
            assert_eq!(game.past(&state).len(), plies, "past holds one key per ply");
            last = game.write_move(&state, mv);
            game.play(&mut state, mv);
            last_move = Some(mv);
            plies += 1;
        }
        check_position_text(game, &state);
        if game.outcome(&state).is_some() {
            let scene = game.scene(&state, last_move);
            check_places(&scene);
            assert_eq!(scene.gestures, [], "a finished game has no gesture");
            assert!(game.read_move(&state, &last).is_err(), "{last:?} is refused once the game is over");
        }
    }
}

fn check_turn<G: Notation>(game: &G, state: &G::State, last: Option<MoveOf<G>>) {
    let view = game.view(state);
    let moves = view.moves();
    assert!(!moves.is_empty(), "an unfinished game has a move: {view:?}");
    let distinct: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "no move is listed twice: {moves:?}");
    for &mv in &moves {
        assert!(G::View::slot(mv) < G::View::SLOTS, "{mv:?} has slot {}", G::View::slot(mv));
        let text = game.write_move(state, mv);
        let read = game.read_move(state, &text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(read, mv, "{text:?} reads back");
    }
    assert_eq!(view.moves(), moves, "the order of moves is fixed");
    assert_eq!(view.move_count(), moves.len(), "moves are counted as they are listed");
    check_position_text(game, state);
    check_scene(game, state, &game.scene(state, last));
}

/// The scene of a game that goes on: gestures are the legal moves, and everything is on the board.
fn check_scene<G: Notation>(game: &G, state: &G::State, scene: &Scene) {
    let moves = game.view(state).moves();
    let named: Vec<String> = moves.iter().map(|&mv| game.write_move(state, mv)).collect();
    let gestured: Vec<&str> = scene.gestures.iter().map(|gesture| gesture.mv.as_str()).collect();
    assert_eq!(gestured, named, "the gestures are the legal moves, in their order");
    let mut distinct = HashSet::new();
    for gesture in &scene.gestures {
        let key = scene.keys.iter().find(|keyed| keyed.mv == gesture.mv).map(|keyed| keyed.key);
        let is_new = distinct.insert((&gesture.touches, gesture.choice, key));
        assert!(is_new, "no other move has the touches, the choice and the key of {gesture:?}");
        let Some(attempted) = game.attempted_move(state, &gesture.touches) else { continue };
        let mv = game.read_move(state, &attempted).unwrap_or_else(|error| panic!("{gesture:?}: {error}"));
        assert_eq!(
            game.touches(mv),
            gesture.touches,
            "{attempted:?} is what the touches of {gesture:?} mean"
        );
    }
    let is_legal = |idle: &String| gestured.contains(&idle.as_str());
    assert!(scene.idle.as_ref().is_none_or(is_legal), "{:?} can always be played", scene.idle);
    check_places(scene);
}

/// Everything lies on the grid.
fn check_places(scene: &Scene) {
    let Grid { columns, rows, column_labels, row_labels, .. } = &scene.grid;
    for (labels, expected) in [(column_labels, *columns), (row_labels, *rows)] {
        assert!(labels.is_empty() || labels.len() == usize::from(expected), "{labels:?} for {expected}");
    }
    let marks = scene.marks.iter().map(|mark| mark.at);
    let touches = scene.gestures.iter().flat_map(|gesture| &gesture.touches).map(|touch| touch.place());
    let pieces = scene.pieces.iter().map(|piece| Place::Cell(piece.cell));
    let labelled = scene.grid.edge_labels.iter().map(|label| label.edge);
    let edges = scene.walls.iter().copied().chain(labelled).map(Place::Edge);
    for place in pieces.chain(marks).chain(touches).chain(edges) {
        let is_on_grid = match place {
            Place::Cell(cell) => scene.grid.contains(cell),
            Place::Edge(edge) => scene.grid.contains_edge(edge),
        };
        assert!(is_on_grid, "{place:?} is on the board");
    }
    assert!(scene.to_text().lines().count() > 1, "a picture has several lines");
}

/// Plays `games` random games and checks that every position on the way can be taken into the editor and back.
pub fn check_editor<G: Editable>(game: &G, games: u64, max_plies: usize, seed: u64) {
    let cleared = game.palette().cleared;
    for number in 0..games {
        let mut rng = Rng::stream(seed, number);
        let (mut state, mut scratch) = (game.start(&mut rng), Vec::new());
        for _ in 0..max_plies {
            let draft = game.draft(&state);
            assert_eq!(draft.counters.len(), cleared.counters.len(), "a draft has the palette's counters");
            let text = game.read_draft(&draft).unwrap_or_else(|error| panic!("{draft:?}: {error}"));
            let again = game.read_position(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(game.draft(&again), draft, "{text:?} shows the same in the editor");
            if game.outcome(&state).is_some() {
                break;
            }
            let mv = game.view(&state).random_move(&mut rng, &mut scratch);
            game.play(&mut state, mv);
        }
    }
}

fn check_position_text<G: Notation>(game: &G, state: &G::State) {
    let text = game.write_position(state);
    let read = game.read_position(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(game.view(&read), game.view(state), "{text:?} reads back as the same view");
    assert_eq!(game.write_position(&read), text, "a position has one text");
}

/// Plays `games` random games and checks the invariants of [`Position`] at every turn.
pub fn check_position<P: Position>(start: &P, games: u64, max_plies: usize, seed: u64) {
    let (mut by_key, mut transpositions) = (HashMap::new(), 0);
    for number in 0..games {
        let (mut rng, mut position, mut scratch) = (Rng::stream(seed, number), start.clone(), Vec::new());
        for _ in 0..max_plies {
            let known = by_key.entry(position.key()).or_insert_with(|| position.clone());
            assert_eq!(*known, position, "different positions have different keys");
            if position.outcome().is_some() {
                assert_eq!(position.moves(), vec![], "a finished position has no moves: {position:?}");
                break;
            }
            for mv in position.moves() {
                assert_ne!(
                    position.after(mv).key(),
                    position.key(),
                    "{mv:?} changes the key of {position:?}"
                );
            }
            transpositions += usize::from(check_transposition(&position, &mut rng));
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }
    assert!(transpositions > 0, "no position was reached by two ways: keys were not tested");
}

/// Plays two moves of one side in either order around a reply. If the ends are equal, so are their keys, hashes and
/// moves; false if the moves do not allow it or lead apart.
fn check_transposition<P: Position>(position: &P, rng: &mut Rng) -> bool {
    let moves = position.moves();
    let (a, b) = (rng.pick(&moves), rng.pick(&moves));
    let replies = position.after(a).moves();
    if a == b || replies.is_empty() {
        return false;
    }
    let reply = rng.pick(&replies);
    let play = |line: [P::Move; 3]| {
        line.into_iter().try_fold(position.clone(), |now, mv| now.is_legal(mv).then(|| now.after(mv)))
    };
    let (Some(one), Some(other)) = (play([a, reply, b]), play([b, reply, a])) else { return false };
    if one != other {
        return false;
    }
    assert_eq!(one.key(), other.key(), "equal positions share a key: {one:?}");
    assert_eq!(hash(&one), hash(&other), "equal positions hash alike: {one:?}");
    assert_eq!(one.moves(), other.moves(), "equal positions have the same moves: {one:?}");
    true
}

/// Plays `games` random games and checks at every turn that the changes of each move lead to the inputs after it.
pub fn check_encoder<P: Position>(start: &P, encoder: &impl Encoder<P>, games: u64, seed: u64) {
    let inputs = |position: &P| {
        let mut on = vec![false; encoder.inputs()];
        encoder.each_on(position, |input| {
            assert!(!std::mem::replace(&mut on[input as usize], true), "input {input} is visited once");
        });
        on
    };
    for number in 0..games {
        let (mut rng, mut position, mut scratch) = (Rng::stream(seed, number), start.clone(), Vec::new());
        while position.outcome().is_none() {
            let before = inputs(&position);
            for mv in position.moves() {
                let mut now = before.clone();
                encoder.each_change(&position, mv, |Change { input, on }| {
                    assert_ne!(now[input as usize], on, "{mv:?} changes input {input} of {position:?}");
                    now[input as usize] = on;
                });
                assert_eq!(now, inputs(&position.after(mv)), "{mv:?} in {position:?}");
            }
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
