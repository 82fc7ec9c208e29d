//! Connect Four and Othello by the rules of OpenSpiel: the same legal moves at every ply and the same results.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use outplay_core::Seat;
use outplay_lab::{Store, open_game};
use serde::Deserialize;

#[derive(Deserialize)]
struct OpenSpielGame {
    game: String,
    plies: Vec<OpenSpielPly>,
    points: f64,
}

#[derive(Deserialize)]
struct OpenSpielPly {
    legal: Vec<String>,
    #[serde(rename = "move")]
    mv: String,
}

#[test]
fn games_go_as_in_openspiel() {
    let Some(python) = outplay_testing::python_with("pyspiel") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/openspiel.py");
    let output = Command::new(python).arg(script).args(["100", "17"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::at(folder.path()));
    let (mut games, mut passes) = (0, 0);
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let played: OpenSpielGame = serde_json::from_str(line).unwrap();
        let mut table = open_game(&played.game, &store).unwrap().table(None, 0).unwrap();
        for ply in &played.plies {
            let mut legal = table.legal();
            legal.sort_unstable();
            assert_eq!(legal, ply.legal, "{line}");
            table.play(&ply.mv).unwrap();
            passes += usize::from(ply.mv == "pass");
        }
        assert_eq!(table.snapshot().result.unwrap().points(Seat::First), played.points, "{line}");
        games += 1;
    }
    assert!(games == 200 && passes > 0, "{games} games, {passes} passes");
}
