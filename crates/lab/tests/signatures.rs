//! Bench signatures: what each search does on a fixed workload. A change here is a change of play: the commit that
//! makes it carries the new numbers and a match result.

use outplay_core::{Game, Outcome, Player, PositionNotation, Rng, Seat, Thought, Turn};
use outplay_games::chess::engine::{ChessEngine, EnginePlayer, SearchLimits};
use outplay_games::chess::{Chess, ClassicEvaluator};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{Action, FirstClick, Minesweeper};
use outplay_games::pushover::{ExpertWeights, Pushover, PushoverExpert};
use outplay_games::quoridor::{LargeQuoridor, MoveSelection, PathEvaluator, PathWeights, SmallQuoridor};
use outplay_lab::bench::{alphabeta_signature, sample_positions};
use outplay_players::{
    AlphaBeta, Budget, EvenEvaluator, Mcts, Minimax, Playout, PlayoutPolicy, TerminalAwareness,
};

fn expert() -> PushoverExpert<4> {
    PushoverExpert::new(ExpertWeights::default())
}

fn ground() -> Vec<Pushover<4>> {
    sample_positions(&Pushover::START, 16, 6)
}

/// Nodes of all searches, and the moves chosen.
fn signature<P: PositionNotation>(ground: &[P], player: &mut dyn Player<P>) -> (u64, String) {
    let (mut nodes, mut moves) = (0, String::new());
    for position in ground {
        player.new_game(position.seat());
        let mut last = 0;
        let mut watcher = |thought: Thought<P::Move>| last = thought.nodes;
        let mv = player.choose(position, &mut Turn::new(&mut Rng::new(0)).watched(&mut watcher));
        nodes += last;
        moves += &position.write_move(mv);
    }
    (nodes, moves)
}

#[test]
fn alphabeta() {
    let mut player = AlphaBeta::new(expert(), Budget::depth(6));
    assert_eq!(alphabeta_signature(&mut player, &ground()), ALPHABETA.0);
    assert_eq!(signature(&ground(), &mut player), (ALPHABETA.0, ALPHABETA.1.to_owned()));
}

#[test]
fn minimax() {
    let (nodes, moves) = signature(&ground(), &mut Minimax::new(expert(), 3, TerminalAwareness::Outcomes));
    assert_eq!((nodes, moves.as_str()), MINIMAX);
}

#[test]
fn mcts() {
    let (nodes, moves) = signature(&ground(), &mut Mcts::new(EvenEvaluator, Budget::nodes(2000)));
    assert_eq!((nodes, moves.as_str()), MCTS);
}

#[test]
fn quoridor() {
    let judge = PathEvaluator::new(PathWeights::default());
    let large = sample_positions(&LargeQuoridor::start(9, 10).unwrap(), 8, 12);
    let small = sample_positions(&SmallQuoridor::start(5, 3).unwrap(), 16, 4);
    let classic = signature(&large, &mut AlphaBeta::new(judge, Budget::depth(5)));
    let wide = PathEvaluator::new(PathWeights { wall: 200, ..PathWeights::default() })
        .with_selection(MoveSelection::All);
    let all_moves = signature(&large, &mut AlphaBeta::new(wide, Budget::depth(3)));
    let leaves = signature(&large, &mut Mcts::new(judge, Budget::nodes(1000)).with_playout(Playout::NONE));
    let likely = Playout { policy: PlayoutPolicy::Sampled, ..Playout::RANDOM };
    let likely = signature(&large, &mut Mcts::new(judge, Budget::nodes(500)).with_playout(likely));
    let baby = signature(&small, &mut AlphaBeta::new(judge, Budget::depth(5)));
    let tree = signature(&small, &mut Mcts::new(EvenEvaluator, Budget::nodes(2000)));
    assert_eq!((classic.0, classic.1.as_str()), QUORIDOR_CLASSIC);
    assert_eq!((all_moves.0, all_moves.1.as_str()), QUORIDOR_ALL_MOVES);
    assert_eq!((leaves.0, leaves.1.as_str()), QUORIDOR_LEAVES);
    assert_eq!((likely.0, likely.1.as_str()), QUORIDOR_LIKELY);
    assert_eq!((baby.0, baby.1.as_str()), QUORIDOR_BABY);
    assert_eq!((tree.0, tree.1.as_str()), QUORIDOR_TREE);
}

#[test]
fn chess() {
    let ground = sample_positions(&Chess::start(), 12, 12);
    let limits = SearchLimits { depth: Some(9), ..SearchLimits::default() };
    let mut engine = EnginePlayer::new(ChessEngine::new(1, 2, &ClassicEvaluator::default()), limits);
    let (nodes, moves) = signature(&ground, &mut engine);
    assert_eq!((nodes, moves.as_str()), CHESS_ENGINE);
}

/// Games won of 100 on 16×16/40 and the nodes of all moves, by each effort of Minesweeper's `solver`.
#[test]
fn minesweeper_solver() {
    let game = Minesweeper::new(16, 16, 40, FirstClick::Safe).unwrap();
    for (effort, expected) in [(Effort::FAST, SOLVER_FAST), (Effort::STRONG, SOLVER_STRONG)] {
        let mut player = Strategist::new(FirstClick::Safe, effort);
        let (mut won, mut nodes) = (0, 0);
        for number in 0..100 {
            let mut rng = Rng::stream(1, number);
            let mut state = game.start(&mut rng);
            player.new_game(Seat::First);
            while game.outcome(&state).is_none() {
                let mut watcher = |thought: Thought<Action>| nodes += thought.nodes;
                let mut turn = Turn::new(&mut rng).watched(&mut watcher);
                let action = player.choose(game.view(&state), &mut turn);
                game.play(&mut state, action);
            }
            won += u32::from(game.outcome(&state) == Some(Outcome::Win(Seat::First)));
        }
        assert_eq!((won, nodes), expected, "{effort:?}");
    }
}

const SOLVER_FAST: (u32, u64) = (79, 17_078);
const SOLVER_STRONG: (u32, u64) = (81, 53_577);
const ALPHABETA: (u64, &str) = (157_341, "JFIEHEBKJFEEBEGF");
const MINIMAX: (u64, &str) = (68_562, "JBINHECKJFIEBAGG");
const MCTS: (u64, &str) = (28_180, "JCINHGCMJOAEBEGO");
const QUORIDOR_CLASSIC: (u64, &str) = (101_451, "e2f1e3e2d1f1e8vf1");
const QUORIDOR_ALL_MOVES: (u64, &str) = (69_658, "e2f1e3e2e2e8he8ve7h");
const QUORIDOR_LEAVES: (u64, &str) = (8_000, "e2f1e3e2e2e2e2f1");
const QUORIDOR_LIKELY: (u64, &str) = (4_000, "d7he2f1vd1va3hd7vh2hf1");
const QUORIDOR_BABY: (u64, &str) = (15_060, "c2d1a1c2b3hc2b1c2d1c2b4hb1c3c2c2c2");
const QUORIDOR_TREE: (u64, &str) = (32_000, "b1vd2hd1hd1hb1va1hb1ha1ha1ha2ha1ha1hb1hc1va1hd1h");
const CHESS_ENGINE: (u64, &str) = (207_682, "Qf7#dxe5Nf3e4Nxe4fxe5axb6Nf2Nf3Ke1bxa5Qxa5");
