//! Refusals in French: names of sides, reasons inside sentences, and lists are said in the language of the sentence.

use outplay_core::{Game, LocalizedError, Notation, PositionNotation, Rng, Text};
use outplay_games::chess::Chess;
use outplay_games::connectfour::ConnectFour;
use outplay_games::minesweeper::{FirstClick, Minesweeper, VisibleBoard};
use outplay_games::pushover::Pushover;
use outplay_games::quoridor::SmallQuoridor;
use outplay_games::tictactoe::TicTacToe;

fn french(error: Option<impl LocalizedError>) -> String {
    Text::of(&error.expect("a refusal")).fr.into_owned()
}

#[test]
fn moves_are_refused() {
    let chess = Chess::start();
    assert_eq!(
        french(chess.read_move("Nf6").err()),
        "le coup « Nf6 » ne peut être joué : aucune pièce blanche ne peut faire cela"
    );
    let quoridor = SmallQuoridor::start(5, 0).unwrap();
    assert_eq!(
        french(quoridor.read_move("b2h").err()),
        "le coup « b2h » ne peut être joué : les Blancs n’ont plus de mur en main"
    );
    assert_eq!(
        french(quoridor.read_move("c4").err()),
        "le coup « c4 » ne peut être joué : le pion peut aller en b1, d1, c2"
    );
    assert_eq!(
        french(Pushover::<4>::START.read_move("Z").err()),
        "« Z » n’est pas un coup : attendu une lettre de A à P"
    );
    let game = Minesweeper::new(3, 3, 2, FirstClick::Any).unwrap();
    let state = game.start(&mut Rng::new(1));
    assert_eq!(
        french(game.read_move(&state, "d4").err()),
        "« d4 » n’est pas un coup : attendu une case de a1 à c3"
    );
    assert_eq!(
        french(ConnectFour::START.read_move("8").err()),
        "« 8 » n’est pas un coup légal : attendu un de 1, 2, 3, 4, 5, 6, 7"
    );
}

#[test]
fn positions_are_refused() {
    assert_eq!(
        french(Chess::from_fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").err()),
        "les Noirs sont en échec sans avoir le trait"
    );
    let quoridor = SmallQuoridor::start(5, 0).unwrap();
    assert_eq!(
        french(quoridor.read_like("5 a5:0 b2:0 white").err()),
        "« 5 a5:0 b2:0 white » n’est pas une position de Quoridor : déjà arrivés, les Blancs ne peuvent avoir le trait"
    );
    assert_eq!(
        french("mines 1\n1.1\n111\n1.0".parse::<VisibleBoard>().err()),
        "le plateau est impossible : les chiffres en a3 et c3 se contredisent"
    );
    assert_eq!(
        french(TicTacToe::START.read_like("XX.......").err()),
        "« XX....... » n’est pas une position : elle a 2 X et 0 O, attendu autant de chaque ou un X de plus"
    );
    assert_eq!(
        french(TicTacToe::START.read_like("XXXOO.O..").err()),
        "« XXXOO.O.. » n’est pas une position : le camp au trait a trois pièces alignées, donc le dernier coup n’était pas légal"
    );
}
