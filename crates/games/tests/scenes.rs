//! Boards as drawings, checked by hand: what is shown, what is touched, what the editor takes back, and the SVG of it all.

use outplay_core::conformance::{check_editor, check_game};
use outplay_core::scene::{
    Cell, Draft, Edge, EdgeTouch, Editable, EditablePosition, Gesture, Mark, Meaning, Piece, Place, Reserve,
    Scene, Shape, Touch,
};
use outplay_core::{Game, Notation, Position, PositionNotation, Referee, Rng, Seat};
use outplay_games::chess::Chess;
use outplay_games::minesweeper::{FirstClick, Minesweeper, MinesweeperState};
use outplay_games::pushover::Pushover;
use outplay_games::quoridor::SmallQuoridor;

fn open<P: Position>(start: P) -> Referee<P> {
    Referee { start, repetitions: Some(3), max_plies: None }
}

/// The scene after these moves from the start.
fn after<P: PositionNotation>(start: &P, moves: &str) -> Scene {
    let game = open(start.clone());
    let (mut state, mut last) = (game.start(&mut Rng::new(0)), None);
    for text in moves.split_whitespace() {
        let mv = game.read_move(&state, text).unwrap();
        game.play(&mut state, mv);
        last = Some(mv);
    }
    game.scene(&state, last)
}

fn chess(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap()
}

/// The cell of a chess square.
fn square(name: &str) -> Cell {
    let &[file, rank] = name.as_bytes() else { panic!("{name}") };
    Cell::new(file - b'a', b'8' - rank)
}

fn from_to(from: &str, to: &str) -> Vec<Touch> {
    vec![Touch::Cell(square(from)), Touch::Cell(square(to))]
}

fn gesture<'s>(scene: &'s Scene, mv: &str) -> &'s Gesture {
    scene.gestures.iter().find(|gesture| gesture.mv == mv).unwrap_or_else(|| panic!("{mv} is legal"))
}

fn marked(scene: &Scene, meaning: Meaning) -> Vec<Place> {
    scene.marks.iter().filter(|mark| mark.meaning == meaning).map(|mark| mark.at).collect()
}

fn refusal(position: &impl EditablePosition, draft: &Draft) -> String {
    position.read_draft(draft).unwrap_err().to_string()
}

#[test]
fn chess_conforms() {
    for number in [518, 0, 300, 959] {
        let game = open(Chess::start_960(number));
        check_game(&game, 10, 120, u64::from(number));
        check_editor(&game, 10, 120, u64::from(number));
    }
}

#[test]
fn chess_shows_check_the_last_move_and_what_was_taken() {
    let scene = after(&Chess::start(), "e4 d5 exd5 Qxd5 Nc3 Qxg2 Nf3 Qxf2+");
    assert_eq!(marked(&scene, Meaning::Check), [Place::Cell(square("e1"))]);
    assert_eq!(marked(&scene, Meaning::LastMove), [Place::Cell(square("g2")), Place::Cell(square("f2"))]);
    let pawns = |owner, count| vec![Reserve { shape: Shape::Pawn, owner: Some(owner), count }];
    assert_eq!(scene.reserves, [pawns(Seat::Second, 1), pawns(Seat::First, 3)]);
    assert_eq!((scene.lead, scene.gestures.len()), (Some(-2), 1));
    assert_eq!(
        *gesture(&scene, "Kxf2"),
        Gesture { mv: "Kxf2".into(), touches: from_to("e1", "f2"), choice: None }
    );
    assert!(scene.pieces.contains(&Piece {
        cell: square("f3"),
        shape: Shape::Knight,
        owner: Some(Seat::First)
    }));
}

#[test]
fn promoted_pieces_were_pawns() {
    let now = chess("rnbqkbn1/pppppp1Q/8/8/8/8/PPPPPP2/RNBQKBNR b KQq - 0 5");
    let reserve = |shape, owner, count| Reserve { shape, owner: Some(owner), count };
    let [first, second] = now.reserves(&Chess::start());
    assert_eq!(first, [reserve(Shape::Pawn, Seat::Second, 2), reserve(Shape::Rook, Seat::Second, 1)]);
    assert_eq!(second, [reserve(Shape::Pawn, Seat::First, 1)]);
}

#[test]
fn chess_gestures_choose_and_castle() {
    let scene = after(&chess("4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1"), "");
    let choices = |scene: &Scene, touches: &[Touch]| {
        let same = scene.gestures.iter().filter(|gesture| gesture.touches == touches);
        same.map(|gesture| gesture.choice.unwrap()).collect::<Vec<_>>()
    };
    let promotions = choices(&scene, &from_to("b7", "b8"));
    assert_eq!(promotions, [Shape::Queen, Shape::Knight, Shape::Rook, Shape::Bishop]);
    assert_eq!(gesture(&scene, "O-O").touches, from_to("e1", "g1"));
    assert_eq!(gesture(&scene, "O-O-O").touches, from_to("e1", "c1"));
    let other = after(&chess("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1"), "");
    assert_eq!(gesture(&other, "O-O").touches, from_to("b1", "g1"));
}

#[test]
fn chess_says_which_move_was_tried() {
    let position = chess("4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1");
    let attempted = |from, to| position.attempted_move(&from_to(from, to)).unwrap();
    assert_eq!([attempted("a1", "h8"), attempted("b7", "b8")], ["a1h8", "b7b8q"]);
    assert!(position.read_move("a1h8").unwrap_err().to_string().contains("a1h8"));
    assert_eq!(position.attempted_move(&[Touch::Cell(square("a1"))]), None);
}

#[test]
fn chess_drafts_are_read_or_refused() {
    let start = Chess::start();
    let mut draft = start.draft();
    draft.counters = vec![1, 0, 0, 1];
    draft.to_move = Seat::Second;
    draft.pieces.retain(|piece| piece.cell != square("d8"));
    let read = start.read_draft(&draft).unwrap();
    assert_eq!(read.write(), "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b Kq - 0 1");
    draft.pieces.retain(|piece| piece.cell != square("h1"));
    assert!(refusal(&start, &draft).contains("'K' says that white may castle"));
    draft.counters[0] = 2;
    assert!(refusal(&start, &draft).contains("'White O-O' is 2, expected from 0 to 1"));
    draft.pieces[0].shape = Shape::Disc;
    assert!(refusal(&start, &draft).contains("no disc of the"));
    draft.pieces[0].cell = Cell::new(8, 0);
    assert!(refusal(&start, &draft).contains("column 8 and row 0, beside the board"));
    assert!(refusal(&start, &start.palette().cleared).contains("white has 0 kings"));
}

#[test]
fn quoridor_shows_walls_goals_and_hands() {
    let scene = after(&SmallQuoridor::start(5, 3).unwrap(), "c2 c3h b2 a1v");
    assert_eq!(scene.walls, [Edge::right(Cell::new(2, 2), 2), Edge::down(Cell::new(1, 3), 2)]);
    assert_eq!(marked(&scene, Meaning::LastMove), [Place::Edge(Edge::down(Cell::new(1, 3), 2))]);
    let goal = |row| (0..5).map(|column| Place::Cell(Cell::new(column, row))).collect::<Vec<_>>();
    assert_eq!(marked(&scene, Meaning::Goal(Seat::First)), goal(0));
    assert_eq!(marked(&scene, Meaning::Goal(Seat::Second)), goal(4));
    let pawn =
        |column, row, seat| Piece { cell: Cell::new(column, row), shape: Shape::Pawn, owner: Some(seat) };
    assert_eq!(scene.pieces, [pawn(1, 3, Seat::First), pawn(2, 0, Seat::Second)]);
    let hand = |seat, count| vec![Reserve { shape: Shape::Wall, owner: Some(seat), count }];
    assert_eq!(scene.reserves, [hand(Seat::First, 3), hand(Seat::Second, 1)]);
    assert_eq!(gesture(&scene, "b3").touches, [Touch::Cell(Cell::new(1, 2))]);
    assert_eq!(gesture(&scene, "d4v").touches, [Touch::Edge(Edge::down(Cell::new(4, 0), 2))]);
    assert_eq!(scene.grid.edge_touch, EdgeTouch::Pairs);
}

#[test]
fn quoridor_says_which_move_was_tried() {
    let position = SmallQuoridor::start(5, 3).unwrap();
    let attempted = |touch| position.attempted_move(&[touch]);
    assert_eq!(attempted(Touch::Cell(Cell::new(0, 4))).as_deref(), Some("a1"));
    assert_eq!(attempted(Touch::Edge(Edge::right(Cell::new(3, 1), 2))).as_deref(), Some("d4h"));
    assert_eq!(attempted(Touch::Edge(Edge::down(Cell::new(1, 3), 2))).as_deref(), Some("a1v"));
    for beside in [
        Edge::right(Cell::new(0, 0), 2),
        Edge::right(Cell::new(4, 1), 2),
        Edge::right(Cell::new(0, 5), 2),
        Edge::down(Cell::new(0, 0), 2),
        Edge::down(Cell::new(5, 0), 2),
        Edge::down(Cell::new(1, 4), 2),
        Edge::right(Cell::new(1, 1), 1),
    ] {
        assert_eq!(attempted(Touch::Edge(beside)), None, "{beside:?}");
    }
}

#[test]
fn quoridor_drafts_are_read_or_refused() {
    let start = SmallQuoridor::start(5, 3).unwrap();
    let mut draft = start.palette().cleared;
    draft.walls = vec![Edge::right(Cell::new(0, 1), 2), Edge::down(Cell::new(2, 3), 2)];
    draft.counters = vec![2, 0];
    draft.to_move = Seat::Second;
    draft.pieces[0].cell = Cell::new(0, 3);
    assert_eq!(start.read_draft(&draft).unwrap().write(), "5 a2:2 c5:0 black a4h b1v");
    draft.walls.push(Edge::right(Cell::new(1, 1), 2));
    assert!(refusal(&start, &draft).contains("a4h and b4h overlap or cross"));
    draft.walls[2] = Edge::right(Cell::new(0, 0), 2);
    assert!(refusal(&start, &draft).contains("a wall stands where none can be"));
    draft.walls.clear();
    draft.pieces[1] = draft.pieces[0];
    assert!(refusal(&start, &draft).contains("the pawn of black is missing"));
    draft.pieces[1].cell = Cell::new(1, 1);
    assert!(refusal(&start, &draft).contains("more than one pawn of the first seat"));
    let mut arrived = start.palette().cleared;
    arrived.pieces[0].cell = Cell::new(0, 0);
    assert!(refusal(&start, &arrived).contains("white has already arrived"));
}

#[test]
fn push_over_shows_entries_the_last_push_and_the_line() {
    let start = Pushover::<4>::START;
    let scene = after(&start, "A E A");
    let disc = |column, seat| Piece { cell: Cell::new(column, 0), shape: Shape::Disc, owner: Some(seat) };
    assert_eq!(scene.pieces, [disc(0, Seat::First), disc(1, Seat::First), disc(3, Seat::Second)]);
    assert_eq!(marked(&scene, Meaning::LastMove), [Place::Edge(Edge::down(Cell::new(0, 0), 1))]);
    let entries = [
        ("B", Edge::down(Cell::new(0, 1), 1)),
        ("F", Edge::down(Cell::new(4, 1), 1)),
        ("J", Edge::right(Cell::new(1, 0), 1)),
        ("N", Edge::right(Cell::new(1, 4), 1)),
    ];
    for (letter, edge) in entries {
        assert_eq!(gesture(&scene, letter).touches, [Touch::Edge(edge)]);
        assert_eq!(start.attempted_move(&[Touch::Edge(edge)]).as_deref(), Some(letter));
    }
    assert_eq!((scene.grid.edge_labels.len(), scene.grid.edge_touch), (16, EdgeTouch::Border));
    let won = after(&start, "A P B P C P D");
    let column = (0..4).map(|row| Place::Cell(Cell::new(0, row))).collect::<Vec<_>>();
    assert_eq!(marked(&won, Meaning::WinningLine), column);
    assert_eq!((won.gestures.len(), won.caption[0].as_str()), (0, "o has a line"));
}

#[test]
fn push_over_drafts_are_read_or_refused() {
    let start = Pushover::<4>::START;
    let pieces = after(&start, "A E A").pieces;
    let read = |to_move| {
        start.read_draft(&Draft { pieces: pieces.clone(), walls: Vec::new(), to_move, counters: Vec::new() })
    };
    assert_eq!(read(Seat::Second).unwrap().write(), "oo.+............-o");
    assert!(read(Seat::First).unwrap_err().to_string().contains("as many of each after a move of +"));
    let with_a_wall = Draft { walls: vec![Edge::right(Cell::new(0, 1), 2)], ..start.draft() };
    assert!(refusal(&start, &with_a_wall).contains("a wall stands where none can be"));
}

fn mines(text: &str) -> (Minesweeper, MinesweeperState) {
    let game = Minesweeper::new(3, 4, 3, FirstClick::Any).unwrap().with_flags();
    let state = game.read_position(text).unwrap();
    (game, state)
}

#[test]
fn minesweeper_shows_what_is_seen() {
    let (game, state) = mines("mines 3\n.F..\n.21.\n....");
    let scene = game.scene(&state, None);
    let on = |column, row| {
        let here = scene.pieces.iter().filter(|piece| piece.cell == Cell::new(column, row));
        here.map(|piece| piece.shape).collect::<Vec<_>>()
    };
    assert_eq!((on(0, 0), on(1, 0)), (vec![Shape::Cover], vec![Shape::Cover, Shape::Flag]));
    assert_eq!((on(1, 1), on(2, 1)), (vec![Shape::Digit(2)], vec![Shape::Digit(1)]));
    assert!(scene.pieces.iter().all(|piece| piece.shape != Shape::Mine), "no mine is told");
    assert_eq!(scene.marks, []);
    assert_eq!(scene.reserves, [vec![Reserve { shape: Shape::Mine, owner: None, count: 2 }], vec![]]);
    let cell = Cell::new(0, 0);
    assert_eq!(gesture(&scene, "a1").touches, [Touch::Cell(cell)]);
    assert_eq!(gesture(&scene, "Fa1").touches, [Touch::Second(cell)]);
    assert_eq!(gesture(&scene, "Ub1").touches, [Touch::Second(Cell::new(1, 0))]);
    assert_eq!(gesture(&scene, "Cc2").touches, [Touch::Cell(Cell::new(2, 1))]);
    let attempted = |touch| game.attempted_move(&state, &[touch]).unwrap();
    assert_eq!(attempted(Touch::Cell(Cell::new(1, 0))), "b1");
    assert_eq!(attempted(Touch::Cell(Cell::new(1, 1))), "Cb2");
    assert_eq!(attempted(Touch::Second(Cell::new(1, 1))), "Fb2");
    assert_eq!(game.attempted_move(&state, &[Touch::Cell(Cell::new(4, 0))]), None);
}

/// The mines are known only where the game is over: those under covers, the one that exploded, and flags without one.
#[test]
fn minesweeper_shows_the_mines_once_it_is_over() {
    let (game, mut state) = mines("mines 3\n.F..\n.21.\n....");
    let laid = state.mines().unwrap().clone();
    let mut at = laid.iter().filter(|mine| mine.to_string() != "b1");
    let mine = at.next().unwrap();
    let unmask = game.read_move(&state, &mine.to_string()).unwrap();
    game.play(&mut state, unmask);
    let scene = game.scene(&state, Some(unmask));
    let exploded = Cell::new(mine.col, mine.row);
    assert_eq!(marked(&scene, Meaning::Exploded), [Place::Cell(exploded)]);
    assert_eq!(marked(&scene, Meaning::LastMove), [Place::Cell(exploded)]);
    let shown = scene.pieces.iter().filter(|piece| piece.shape == Shape::Mine).count();
    let flag = Cell::new(1, 0);
    let is_right = laid.iter().any(|mine| mine.to_string() == "b1");
    assert_eq!(shown, 3 - usize::from(is_right));
    let wrong = if is_right { vec![] } else { vec![Place::Cell(flag)] };
    assert_eq!(marked(&scene, Meaning::WrongFlag), wrong);
    assert_eq!(scene.gestures, []);
}

#[test]
fn minesweeper_drafts_are_read_or_refused() {
    let (game, state) = mines("mines 3\n.F..\n.21.\n....");
    let mut draft = game.draft(&state);
    let text = game.read_draft(&draft).unwrap();
    assert_eq!(game.view(&game.read_position(&text).unwrap()), state.seen());
    let put = |draft: &mut Draft, column, row, shape| {
        let cell = Cell::new(column, row);
        draft.pieces.retain(|piece| piece.cell != cell);
        draft.pieces.push(Piece { cell, shape, owner: None });
    };
    put(&mut draft, 3, 0, Shape::Digit(1));
    draft.counters[0] = 2;
    assert_eq!(game.read_draft(&draft).unwrap(), "mines 2\n.F.1\n.21.\n....");
    put(&mut draft, 3, 0, Shape::Digit(7));
    assert!(game.read_draft(&draft).unwrap_err().to_string().contains("impossible"));
    draft.counters[0] = 12;
    assert!(
        game.read_draft(&draft).unwrap_err().to_string().contains("'Mines' is 12, expected from 1 to 11")
    );
    assert_eq!(game.read_draft(&game.palette().cleared).unwrap(), "mines 3\n....\n....\n....");
}

/// Every piece is named in a document that reads as XML, with all kinds of marks.
#[test]
fn drawings_are_documents_that_name_every_piece() {
    let (game, state) = mines("mines 3\n.F..\n.21.\n....");
    let mut judged = game.scene(&state, None);
    let at = Place::Cell(Cell::new(0, 0));
    judged.marks.push(Mark { at, meaning: Meaning::MineProbability(0.25) });
    judged.marks.push(Mark { at, meaning: Meaning::WrongFlag });
    judged.caption.push("<&>".to_owned());
    for scene in [
        after(&Chess::start(), "e4 d5 exd5 Qxd5 Nc3 Qxg2 Nf3 Qxf2+"),
        after(&SmallQuoridor::start(5, 3).unwrap(), "c2 c3h b2 a1v"),
        after(&Pushover::<4>::START, "A P B P C P D"),
        judged,
    ] {
        let svg = scene.to_svg();
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
        let titles: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("title"))
            .filter_map(|node| node.text())
            .collect();
        for piece in &scene.pieces {
            let named = format!("{} on {}", piece.name(), scene.grid.cell_name(piece.cell));
            assert!(
                titles.iter().any(|&title| title == named || title == piece.name()),
                "{named}: {titles:?}"
            );
        }
        for label in scene.grid.column_labels.iter().chain(&scene.caption) {
            assert!(document.descendants().any(|node| node.text() == Some(label)), "{label}");
        }
    }
}
