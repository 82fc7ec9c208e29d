//! Chess on screen: squares beside algebraic notation, check and captured pieces, PGN and FEN.

use outplay_arena::record::GameTranscript;
use outplay_core::{Position, Seat};
use outplay_games::chess::pgn::{PgnGame, PgnPly, PgnResult};
use outplay_games::chess::{Chess, PieceKind};
use outplay_lab::chess::pgn;
use outplay_lab::registry::Facts;
use serde_json::json;

use super::{Dress, Imported, Played, Scene};
use crate::refusal::Refusal;

pub(super) const DRESS: Dress = Dress {
    name: "chess",
    formats: &["pgn", "fen", "json"],
    has_secrets: false,
    squares: Some(squares),
    facts,
    may_win,
    export,
    import,
};

const PIECES: [PieceKind; 5] =
    [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];

/// The usual start position by its number among those of Chess960.
const USUAL: &str = "518";

fn now(scene: &Scene<'_>) -> Option<Chess> {
    Chess::from_fen(&scene.snapshot.position).ok()
}

fn is_960(scene: &Scene<'_>) -> bool {
    scene.spec.get("start").is_some_and(|start| start != USUAL)
}

fn squares(scene: &Scene<'_>, moves: &[String]) -> Vec<String> {
    let Some(position) = now(scene) else { return Vec::new() };
    let written = |text: &String| {
        let mv = position.read_san(text).ok();
        mv.map_or(String::new(), |mv| position.uci(mv, is_960(scene)))
    };
    moves.iter().map(written).collect()
}

fn facts(scene: &Scene<'_>) -> Facts {
    let mut facts = scene.snapshot.facts.clone();
    if let Some(position) = now(scene) {
        let start = scene.start.and_then(|start| Chess::from_fen(start).ok()).unwrap_or_else(Chess::start);
        facts.insert("check".to_owned(), position.in_check().into());
        let lost = |seat| lost(&start, &position, seat);
        facts.insert(
            "captured".to_owned(),
            json!({ "first": lost(Seat::First), "second": lost(Seat::Second) }),
        );
    }
    facts
}

/// What a side has lost, the greatest first. Pieces beyond those it began with were pawns.
fn lost(start: &Chess, now: &Chess, seat: Seat) -> String {
    let count = |position: &Chess, kind| position.pieces(seat, kind).len();
    let promoted: u32 =
        PIECES[..4].iter().map(|&kind| count(now, kind).saturating_sub(count(start, kind))).sum();
    let missing = |kind: PieceKind| {
        let gone = count(start, kind).saturating_sub(count(now, kind));
        if kind == PieceKind::Pawn { gone.saturating_sub(promoted) } else { gone }
    };
    let letter = |kind: PieceKind| kind.letter().to_ascii_lowercase().to_string();
    PIECES.iter().map(|&kind| letter(kind).repeat(missing(kind) as usize)).collect()
}

/// Whether a side has more than its king.
fn may_win(scene: &Scene<'_>, seat: Seat) -> bool {
    now(scene).is_none_or(|position| PIECES.iter().any(|&kind| !position.pieces(seat, kind).is_empty()))
}

fn export(played: &Played<'_>, format: &str) -> Option<String> {
    match format {
        "fen" => Some(played.scene.snapshot.position.clone()),
        "pgn" => write_pgn(played),
        _ => None,
    }
}

fn write_pgn(Played { scene, moves, result }: &Played<'_>) -> Option<String> {
    let number = scene.spec.get("start").unwrap_or(USUAL).parse().ok()?;
    let start = match scene.start {
        Some(fen) => Chess::from_fen(fen).ok()?,
        None => Chess::start_960(number),
    };
    let mut game = PgnGame::new(start);
    let (mut position, mut plies) = (game.start, Vec::new());
    for text in *moves {
        let mv = position.read_san(text).ok()?;
        plies.push(PgnPly::new(mv));
        position.play(mv);
    }
    game.line.plies = plies;
    game.result = result.map_or(PgnResult::Open, PgnResult::Finished);
    game.tags.push(("Event".to_owned(), "Outplay".to_owned()));
    let players = ["White", "Black"].into_iter().zip(scene.seats);
    game.tags.extend(players.map(|(tag, player)| (tag.to_owned(), player.clone())));
    Some(game.to_string())
}

fn import(text: &str) -> Option<Result<Imported, Refusal>> {
    let text = text.trim();
    if Chess::from_fen(text).is_ok() {
        let position = Some(text.to_owned());
        return Some(Ok(Imported { position, moves: Vec::new(), players: Vec::new() }));
    }
    // A row of Minesweeper may have a 1 before a dot, too.
    let is_first_move = |word: &str| {
        let move_text = word.strip_prefix("1.").map(|rest| rest.trim_start_matches('.'));
        word == "1."
            || move_text.is_some_and(|text| text.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    };
    let looks_like_pgn = text.starts_with('[') || text.split_whitespace().any(is_first_move);
    looks_like_pgn.then(|| read_pgn(text))
}

fn read_pgn(text: &str) -> Result<Imported, Refusal> {
    let game = pgn::read(text.as_bytes()).next();
    let GameTranscript { position, moves, players, .. } =
        game.ok_or_else(|| Refusal::refused("the text holds no game: expected PGN"))??;
    Ok(Imported { position, moves, players })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_is_told_from_what_was_promoted() {
        let now = Chess::from_fen("rnbqkbn1/pppppp1Q/8/8/8/8/PPPPPP2/RNBQKBNR b KQq - 0 5").unwrap();
        assert_eq!(lost(&Chess::start(), &now, Seat::First), "p");
        assert_eq!(lost(&Chess::start(), &now, Seat::Second), "rpp");
    }

    #[test]
    fn games_are_read_from_their_texts() {
        let game = import("[White \"A\"]\n\n1. e4 e5 2. Nf3 *").unwrap().unwrap();
        assert_eq!((game.moves.join(" ").as_str(), game.position), ("e4 e5 Nf3", None));
        assert_eq!(game.players, ["A", "?"]);
        assert!(import("1. e5").unwrap().is_err());
        assert!(import("mines 3").is_none());
        let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(import(fen).unwrap().unwrap().position.as_deref(), Some(fen));
    }
}
