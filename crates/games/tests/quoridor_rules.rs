//! The rules of Quoridor against known numbers, a slow reference implementation, and the conformance suite.

use outplay_core::conformance::{check_editor, check_game, check_position};
use outplay_core::{Game, Notation, Outcome, Position, PositionNotation, Referee, Rng, Seat, View, perft};
use outplay_games::quoridor::{
    BOARDS, Cells, LargeQuoridor, Quoridor, QuoridorMove, QuoridorSetup, SmallQuoridor, StartColumns, Walls,
};
use proptest::prelude::*;

mod quoridor_reference;

use quoridor_reference::ReferenceGame;

fn referee<C: Cells>(start: Quoridor<C>) -> Referee<Quoridor<C>> {
    let plies = 4 * u32::from(start.size()).pow(2);
    Referee { start, repetitions: Some(3), max_plies: Some(plies) }
}

fn small(size: u8, walls: u8) -> SmallQuoridor {
    SmallQuoridor::start(size, walls).unwrap()
}

fn read(size: u8, text: &str) -> SmallQuoridor {
    small(size, 0).read_like(text).unwrap()
}

fn leaves<C: Cells>(size: u8, walls: u8, depths: u32) -> Vec<u64> {
    let start = Quoridor::<C>::start(size, walls).unwrap();
    (1..=depths).map(|depth| perft(&start, depth)).collect()
}

#[test]
fn perft_from_the_start() {
    assert_eq!(leaves::<u128>(9, 10, 3), [131, 16_677, 2_062_264]);
    assert_eq!(leaves::<u64>(5, 3, 4), [35, 1_109, 31_540, 794_442]);
    assert_eq!(leaves::<u64>(5, 1, 5), [35, 1_109, 6_122, 33_718, 157_380]);
    assert_eq!(leaves::<u64>(3, 1, 5), [11, 77, 316, 1_172, 3_452]);
}

/// The width of the bitboard changes nothing.
#[test]
fn both_widths_count_alike() {
    for (size, walls, depth) in [(3, 1, 5), (4, 2, 4), (5, 3, 3), (6, 4, 3), (8, 8, 2)] {
        assert_eq!(leaves::<u64>(size, walls, depth), leaves::<u128>(size, walls, depth));
    }
}

#[test]
fn conforms() {
    check_game(&referee(small(3, 0)), 20, 300, 0);
    for (size, walls) in [(3, 3), (4, 2), (5, 3), (6, 10), (8, 8)] {
        check_game(&referee(small(size, walls)), 20, 300, u64::from(size));
        check_editor(&referee(small(size, walls)), 20, 300, u64::from(size));
        check_position(&small(size, walls), 20, 300, u64::from(size));
    }
    let large = LargeQuoridor::start(9, 10).unwrap();
    check_game(&referee(large), 10, 324, 1);
    check_position(&large, 10, 324, 2);
}

fn compare_with_twin<C: Cells>(size: u8, walls: u8, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut position = Quoridor::<C>::start(size, walls).unwrap();
    let mut reference = ReferenceGame::new(size, walls);
    for _ in 0..4 * u32::from(size).pow(2) {
        let mut fast: Vec<String> = position.moves().into_iter().map(|mv| position.write_move(mv)).collect();
        fast.sort();
        let slow = reference.moves();
        assert_eq!(fast, slow, "{}", position.write());
        assert_eq!(position.outcome(), reference.winner(), "{}", position.write());
        let Ok(same) = position.read_like(&position.write()) else { panic!("{}", position.write()) };
        assert_eq!(same.key(), position.key(), "kept and made from scratch: {}", position.write());
        if slow.is_empty() {
            break;
        }
        let name = &slow[rng.below(slow.len())];
        position.play(position.read_move(name).unwrap());
        reference.play(name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn agrees_with_the_twin(seed: u64, size in 3_u8..=8, walls in 0_u8..=10) {
        compare_with_twin::<u64>(size, walls, seed);
    }

    #[test]
    fn agrees_with_the_twin_on_small_crowded_boards(seed: u64, size in 3_u8..=5, walls in 3_u8..=10) {
        compare_with_twin::<u64>(size, walls, seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn agrees_with_the_twin_on_the_large_board(seed: u64) {
        compare_with_twin::<u128>(9, 10, seed);
    }
}

/// A position of a random game, unfinished.
fn wander<C: Cells>(size: u8, walls: u8, seed: u64) -> Quoridor<C> {
    let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
    let mut position = Quoridor::start(size, walls).unwrap();
    for _ in 0..rng.below(40) {
        let next = position.after(position.random_move(&mut rng, &mut scratch));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// The setup mirrored left to right. Wall slots are mirrored within a board that is smaller by one.
fn transformed<C: Cells>(setup: &QuoridorSetup<C>, flip_columns: bool, flip_rows: bool) -> QuoridorSetup<C> {
    let flip = |cell: u8, size: u8| {
        let (column, row) = C::column_row(cell);
        C::cell(
            if flip_columns { size - 1 - column } else { column },
            if flip_rows { size - 1 - row } else { row },
        )
    };
    let walls = |set: C| set.iter().fold(C::EMPTY, |all, slot| all | C::single(flip(slot, setup.size - 1)));
    QuoridorSetup {
        pawns: setup.pawns.map(|pawn| flip(pawn, setup.size)),
        walls: Walls { horizontal: walls(setup.walls.horizontal), vertical: walls(setup.walls.vertical) },
        ..*setup
    }
}

/// The positions after each legal move.
fn futures<C: Cells>(position: &Quoridor<C>) -> Vec<QuoridorSetup<C>> {
    position.moves().into_iter().map(|mv| position.after(mv).setup()).collect()
}

/// The setup rotated by 180°, colours swapped.
fn swapped<C: Cells>(setup: &QuoridorSetup<C>) -> QuoridorSetup<C> {
    let turned = transformed(setup, true, true);
    let [white, black] = turned.pawns;
    let [whites, blacks] = turned.in_hand;
    QuoridorSetup { pawns: [black, white], in_hand: [blacks, whites], seat: !turned.seat, ..turned }
}

/// The successors of the image are the images of the successors.
fn same_futures<C: Cells>(position: &Quoridor<C>, image: impl Fn(&QuoridorSetup<C>) -> QuoridorSetup<C>) {
    let there = Quoridor::set_up(image(&position.setup())).unwrap();
    let mut one: Vec<String> =
        futures(position).iter().map(|setup| Quoridor::set_up(image(setup)).unwrap().write()).collect();
    let mut other: Vec<String> =
        futures(&there).into_iter().map(|setup| Quoridor::set_up(setup).unwrap().write()).collect();
    one.sort();
    other.sort();
    assert_eq!(one, other, "{} and {}", position.write(), there.write());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn mirrored_positions_have_mirrored_moves(seed: u64, size in 3_u8..=8, walls in 0_u8..=10) {
        same_futures(&wander::<u64>(size, walls, seed), |setup| transformed(setup, true, false));
        same_futures(&wander::<u128>(9, 10, seed), |setup| transformed(setup, true, false));
    }

    #[test]
    fn either_side_has_the_same_view(seed: u64, size in 3_u8..=8, walls in 0_u8..=10) {
        same_futures(&wander::<u64>(size, walls, seed), swapped);
        same_futures(&wander::<u128>(9, 10, seed), swapped);
    }

    /// The number of walls is constant, and both pawns keep a path.
    #[test]
    fn walls_are_counted_and_ways_are_kept(seed: u64, size in 3_u8..=8, walls in 0_u8..=10) {
        let position = wander::<u64>(size, walls, seed);
        let in_hand: u8 = Seat::BOTH.iter().map(|&seat| position.in_hand(seat)).sum();
        prop_assert_eq!(position.walls().count() + u32::from(in_hand), 2 * u32::from(walls));
        prop_assert!(Seat::BOTH.iter().all(|&seat| position.distance(seat).is_some()));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-0-9a-iwhv: étc]{0,40}|[3-9] [a-i][1-9]:[0-9]{1,3} .{0,30}") {
        let _ = small(5, 3).read_like(&text);
        let _ = small(5, 3).read_move(&text);
        let _ = LargeQuoridor::start(9, 10).unwrap().read_like(&text);
    }

    #[test]
    fn texts_near_a_position_are_read_or_refused(
        text in "5 [a-e][1-5]:[0-9] [a-e][1-5]:[0-9] (white|black)( [a-d][1-4][hv]){0,6}"
    ) {
        if let Ok(position) = small(5, 3).read_like(&text) {
            let again = position.write();
            prop_assert_eq!(small(5, 3).read_like(&again).unwrap(), position);
            for mv in position.moves() {
                prop_assert!(small(5, 3).read_like(&position.after(mv).write()).is_ok());
            }
        }
    }
}

/// Rejection sampling is as uniform as listing all moves.
#[test]
fn random_moves_are_uniform() {
    let position = read(5, "5 c2:2 c4:2 white a2h c2h b3v d3h");
    let moves = position.moves();
    let (mut rng, mut scratch, mut counts) = (Rng::new(1), Vec::new(), vec![0_u32; moves.len()]);
    for _ in 0..1000 * moves.len() {
        let mv = position.random_move(&mut rng, &mut scratch);
        counts[moves.iter().position(|&legal| legal == mv).unwrap()] += 1;
    }
    // Six deviations of a count of mean 1000.
    assert!(counts.iter().all(|count| (810..1190).contains(count)), "{counts:?}");
}

fn steps(text: &str) -> String {
    let position = read(5, text);
    let steps = position.moves().into_iter().filter(|mv| matches!(mv, QuoridorMove::Pawn(_)));
    steps.map(|mv| position.write_move(mv)).collect::<Vec<_>>().join(" ")
}

#[test]
fn jumps() {
    assert_eq!(steps("5 c3:0 c4:0 white"), "c2 b3 d3 c5", "straight over the opponent");
    assert_eq!(steps("5 c3:0 c4:0 white c4h"), "c2 b3 d3 b4 d4", "a wall behind him opens the diagonals");
    assert_eq!(steps("5 c3:0 c4:0 white c4h b4v"), "c2 b3 d3 d4", "a diagonal may be closed itself");
    assert_eq!(steps("5 d3:0 e3:0 white"), "d2 e2 c3 d4 e4", "the rim behind him counts as a wall");
    assert_eq!(steps("5 d3:0 e3:0 white d3h"), "d2 e2 c3", "and so do walls beside him");
    assert_eq!(steps("5 c3:0 c4:0 white c3h"), "c2 b3 d3", "a wall between the pawns: no jump");
    assert_eq!(steps("5 c2:0 c3:0 black"), "c1 b3 d3 c4", "a jump may win");
}

#[test]
fn the_first_to_arrive_wins() {
    let mut position = read(5, "5 c4:1 b2:1 white");
    position.play(position.read_move("c5").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::Win(Seat::First)));
    assert_eq!(position.moves(), vec![]);
    assert_eq!(position.write(), "5 c5:1 b2:1 black");
    assert!(position.read_move("b1").unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn a_sealed_empty_region_is_legal_and_a_sealed_pawn_is_not() {
    // a1 and a2 can be sealed off if no pawn is there.
    let empty = read(5, "5 c3:2 d4:1 white a2h");
    assert!(empty.is_legal(empty.read_move("a1v").unwrap()));
    let occupied = read(5, "5 a1:2 d4:1 black a2h");
    let refusal = occupied.read_move("a1v").unwrap_err().to_string();
    assert!(refusal.contains("no way to the opposite row"), "{refusal}");
}

#[test]
fn the_referee_draws_repetitions_and_long_games() {
    let game = referee(small(5, 0));
    let mut line = game.start(&mut Rng::new(0));
    for round in 0..2 {
        for mv in ["c2", "c4", "c1", "c5"] {
            assert_eq!(game.outcome(&line), None, "{round}");
            let mv = game.read_move(&line, mv).unwrap();
            game.play(&mut line, mv);
        }
    }
    assert_eq!(game.outcome(&line), Some(Outcome::Draw), "the start for the third time");
    let short = Referee { max_plies: Some(1), ..referee(small(5, 0)) };
    let mut line = short.start(&mut Rng::new(0));
    short.play(&mut line, small(5, 0).read_move("c2").unwrap());
    assert_eq!(short.outcome(&line), Some(Outcome::Draw));
}

#[test]
fn refusals_name_what_is_wrong() {
    let refusal = |text: &str| small(5, 3).read_like(text).unwrap_err().to_string();
    assert!(refusal("5 c1:3").contains("expected the size, both pawns"));
    assert!(refusal("9 c1:3 c5:3 white").contains("'9' is not the size of the board, expected 5"));
    assert!(
        refusal("5 c6:3 c5:3 white").contains("c6 is not on the 5×5 board, expected a tile from a1 to e5")
    );
    assert!(refusal("5 f1:3 c5:3 white").contains("f1 is not on the 5×5 board"));
    assert!(refusal("5 c:3 c5:3 white").contains("'c:3' is not a pawn"));
    assert!(refusal("5 c1:+3 c5:3 white").contains("'c1:+3' is not a pawn"));
    assert!(refusal("5 c1:11 c5:3 white").contains("white has 11 walls in hand"));
    assert!(refusal("5 c1:3 c1:3 white").contains("both pawns stand on one tile"));
    assert!(refusal("5 c1:3 c5:3 red").contains("'red' is not a side"));
    assert!(refusal("5 c1:3 c5:3 white b2").contains("'b2' is not a wall"));
    assert!(
        refusal("5 c1:3 c5:3 white e2h")
            .contains("the wall e2h is not on the board, expected one of a1 to d4")
    );
    assert!(refusal("5 c1:3 c5:3 white b2h b2h").contains("'b2h' stands there twice"));
    assert!(refusal("5 c1:3 c5:3 white b2h c2h").contains("the walls b2h and c2h overlap or cross"));
    assert!(refusal("5 c1:3 c5:3 white b2h b2v").contains("the walls b2h and b2v overlap or cross"));
    assert!(refusal("5 a1:3 c5:3 white a2h a1v").contains("leave white no way"));
    assert!(refusal("5 c5:3 b3:3 white").contains("white has already arrived"));
    assert!(refusal("5 c5:3 b1:3 black").contains("black has already arrived"));
    let move_refusal = |text: &str, mv: &str| read(5, text).read_move(mv).unwrap_err().to_string();
    assert!(move_refusal("5 c1:0 c5:3 white", "c3h").contains("white has no wall in hand"));
    assert!(move_refusal("5 c1:1 c5:3 white b2h", "c2h").contains("overlap or cross"));
    assert!(move_refusal("5 c1:1 c5:3 white", "e2h").contains("from a1 to d4"));
    assert!(move_refusal("5 c1:1 c5:3 white", "c3").contains("the pawn can go to b1, d1, c2"));
    assert!(move_refusal("5 c1:1 c5:3 white", "f1").contains("a tile from a1 to e5"));
    assert!(SmallQuoridor::start(9, 10).unwrap_err().to_string().contains("from 3 to 8"));
    assert!(LargeQuoridor::start(2, 1).unwrap_err().to_string().contains("no board is 2×2"));
}

/// Both shortest path lengths are those that the boards were designed for.
#[test]
fn named_boards_are_positions() {
    let lengths = BOARDS.map(|board| {
        let start = board.start(0).unwrap();
        let [white, black] = Seat::BOTH.map(|seat| start.distance(seat).unwrap());
        assert_eq!(start.walls().count() as usize, board.walls.split_whitespace().count());
        (board.name, white, black)
    });
    let expected = [
        ("corridor", 4, 4),
        ("hourglass", 4, 4),
        ("snake", 10, 10),
        ("shields", 6, 6),
        ("staircase", 6, 6),
        ("pinwheel", 6, 6),
        ("pocket", 5, 5),
        ("empty", 4, 4),
        ("offset", 6, 6),
        ("zigzag", 18, 18),
    ];
    assert_eq!(lengths, expected);
}

/// On even boards the pawns mirror each other, or share column (N − 1) // 2 as in the course's program.
#[test]
fn pawns_begin_in_the_columns_asked_for() {
    for (columns, size, expected) in [
        (StartColumns::Mirrored, 4, "4 b1:1 c4:1 white"),
        (StartColumns::Same, 4, "4 b1:1 b4:1 white"),
        (StartColumns::Mirrored, 5, "5 c1:1 c5:1 white"),
        (StartColumns::Same, 5, "5 c1:1 c5:1 white"),
    ] {
        let start = SmallQuoridor::start_in(columns, size, 1, Walls::EMPTY).unwrap();
        assert_eq!(start.write(), expected);
    }
}

#[test]
fn the_picture_shows_pawns_and_walls() {
    let picture = read(5, "5 b2:3 c5:2 black c3h a1v").draw().to_text();
    let expected = "   +-------------------+
 5 | .   .   B   .   . |
   |                   |
 4 | .   .   .   .   . |
   |        =======    |
 3 | .   .   .   .   . |
   |                   |
 2 | . # W   .   .   . |
   |   #               |
 1 | . # .   .   .   . |
   +-------------------+
     a   b   c   d   e
   walls in hand: white 3, black 2; black to move";
    assert_eq!(picture, expected, "\n{picture}");
}
