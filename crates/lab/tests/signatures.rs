//! Bench signatures: what each search does on a fixed workload. A change here is a change of play: the commit that
//! makes it carries the new numbers and a match result.

use outplay_core::{Player, Rng, Thought, Turn, View};
use outplay_games::pushover::{Entry, Expert, ExpertWeights, Pushover};
use outplay_lab::bench::{alphabeta_signature, sample_positions};
use outplay_players::{AlphaBeta, Budget, Even, Mcts, Minimax, Sight};

fn expert() -> Expert<4> {
    Expert::new(ExpertWeights::default())
}

fn ground() -> Vec<Pushover<4>> {
    sample_positions(&Pushover::START, 16, 6)
}

/// Nodes of all searches, and the moves chosen, as letters.
fn signature(player: &mut dyn Player<Pushover<4>>) -> (u64, String) {
    let (mut nodes, mut moves) = (0, String::new());
    for position in ground() {
        player.new_game(position.seat());
        let mut last = 0;
        let mut watcher = |thought: Thought<Entry>| last = thought.nodes;
        let mv = player.choose(&position, &mut Turn::new(&mut Rng::new(0)).watched(&mut watcher));
        nodes += last;
        moves.push(char::from(b'A' + mv.0));
    }
    (nodes, moves)
}

#[test]
fn alphabeta() {
    let mut player = AlphaBeta::new(expert(), Budget::depth(6));
    assert_eq!(alphabeta_signature(&mut player, &ground()), ALPHABETA.0);
    assert_eq!(signature(&mut player), (ALPHABETA.0, ALPHABETA.1.to_owned()));
}

#[test]
fn minimax() {
    let (nodes, moves) = signature(&mut Minimax::new(expert(), 3, Sight::Outcomes));
    assert_eq!((nodes, moves.as_str()), MINIMAX);
}

#[test]
fn mcts() {
    let (nodes, moves) = signature(&mut Mcts::new(Even, Budget::nodes(2000)));
    assert_eq!((nodes, moves.as_str()), MCTS);
}

const ALPHABETA: (u64, &str) = (157_341, "JFIEHEBKJFEEBEGF");
const MINIMAX: (u64, &str) = (68_562, "JBINHECKJFIEBAGG");
const MCTS: (u64, &str) = (28_180, "JCINHGCMJOAEBEGO");
