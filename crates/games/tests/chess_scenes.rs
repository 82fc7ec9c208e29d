//! Chess as a drawing, and the suite that every game passes.

use outplay_core::Open;
use outplay_core::conformance::{check_editor, check_game};
use outplay_games::chess::Chess;

fn referee(start: Chess) -> Open<Chess> {
    Open { start, repetitions: Some(3), max_plies: None }
}

#[test]
fn conforms() {
    for number in [518, 0, 300, 959] {
        let game = referee(Chess::start_960(number));
        check_game(&game, 10, 120, u64::from(number));
        check_editor(&game, 10, 120, u64::from(number));
    }
}
