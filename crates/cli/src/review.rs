//! Recorded games judged move by move: `analyse GAME --game FILE`.

use outplay_runtime::WorkError;
use std::path::Path;

use outplay_arena::record::GameTranscript;
use outplay_lab::review::{MoveReview, Review, ReviewPlan};
use outplay_lab::spec::Spec;
use serde_json::json;

use crate::args::AnalyseArgs;
use crate::error::CommandError;
use crate::record_writer::told_game;
use crate::terminal::Terminal;

pub(crate) fn run(terminal: &Terminal, options: &AnalyseArgs, file: &Path) -> Result<(), WorkError> {
    let asked: Spec = options.game.parse()?;
    let (told, games) = told_game(&*terminal.open_game(&options.game)?, "--number", options.number, file)?;
    let found: Spec = told.game.parse()?;
    if found.name != asked.name {
        let (number, path) = (options.number, file.to_owned());
        return Err(CommandError::OtherGame { number, path, found: found.name, expected: asked.name }.into());
    }
    let game = terminal.open_game(&told.game)?;
    let player = options.player.as_deref().unwrap_or_else(|| game.info().reviewer);
    let plan = ReviewPlan { player, samples: options.samples, seed: options.seed };
    let _memory = terminal.reserve_player(&*game, player)?;
    let review = terminal.watch(|watch| game.review(&told, &plan, watch))?;
    let mut result = json!(review);
    result["game"] = told.game.as_str().into();
    result["players"] = json!(told.players);
    result["number"] = options.number.into();
    result["games"] = games.into();
    result["player"] = player.into();
    terminal.print_result(&result, || draw(&told, &review, options.number, games));
    Ok(())
}

fn draw(told: &GameTranscript, review: &Review, number: u64, games: usize) -> String {
    let mut lines =
        vec![format!("game {number} of {games}, {}: {}", told.game, told.players.join(" against "))];
    let mut first = 0;
    while let Some(last) = run_of_equal_words(&review.moves, first) {
        let moves = &review.moves[first..last];
        lines.push(match moves {
            [only] => format!("{:>4}. {}: {}", last, only.mv, only.words),
            _ => format!("{:>4}. to {last}. {}", first + 1, moves[0].words),
        });
        first = last;
    }
    lines.push(review.words.to_string());
    lines.join("\n")
}

/// The end of the run of moves with the same sentence as this one; `None` after the last move.
fn run_of_equal_words(moves: &[MoveReview], first: usize) -> Option<usize> {
    let words = &moves.get(first)?.words;
    Some(first + moves[first..].iter().take_while(|mv| mv.words == *words).count())
}
