//! Every player of every game answers soon after it is told to stop, and keeps its budget, on crowded boards too.
//!
//! A player has 50 ms of processor time from then on; of time, where the system does not tell. The machine may be busy with
//! other tests, so the best of a few tries counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use outplay_core::{Rng, Seat};
use outplay_lab::params::ParamKind;
use outplay_lab::registry::{Listing, TrainPlan};
use outplay_lab::{AnyGame, Opinion, Store, Table, games, open_game};
use outplay_runtime::Watch;

/// How soon a player must answer.
const PROMPT: Duration = Duration::from_millis(50);
/// How long it thinks before it is stopped.
const THINKS: Duration = Duration::from_millis(25);
const TRIES: usize = 8;
/// A player that waits for something may take no longer than this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(10);

/// A board with the positions on which its players are stopped.
struct Ground {
    board: Box<dyn AnyGame>,
    positions: Vec<Option<String>>,
    folder: tempfile::TempDir,
}

impl Ground {
    fn new(game: &str, positions: Vec<Option<String>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let board = open_game(game, &Arc::new(Store::at(folder.path()))).unwrap();
        Self { board, positions, folder }
    }

    /// The start, and a position from a random game.
    fn wandering(game: &str) -> Self {
        let mut ground = Self::new(game, vec![None]);
        let mut table = ground.board.table(None, 1).unwrap();
        for seat in Seat::BOTH.into_iter().take(ground.board.info().seats) {
            table.seat(seat, "random", Watch::nobody()).unwrap();
        }
        let mut position = None;
        for _ in 0..12 {
            let mv = table.think(Watch::nobody(), None).unwrap().best;
            if table.play(&mv).unwrap().outcome.is_some() {
                break;
            }
            position = Some(table.snapshot().position);
        }
        ground.positions.push(position);
        ground
    }

    /// The players, each with every evaluator that it can have, and as much to think about as it takes. A program from outside
    /// is not ours to stop.
    fn players(&self) -> Vec<String> {
        let info = self.board.info();
        let listings = info.players.iter().filter(|player| player.name != "uci");
        let searches = listings.flat_map(|player| {
            longest_searches(player).into_iter().flat_map(|spec| self.with_evaluators(player, spec))
        });
        searches.collect()
    }

    fn with_evaluators(&self, player: &Listing, spec: String) -> Vec<String> {
        if !player.params.iter().any(|param| matches!(param.kind, ParamKind::Evaluator)) {
            return vec![self.with_network(spec)];
        }
        let evaluators = self.board.info().evaluators.iter();
        let specs = evaluators.map(|evaluator| with_param(&spec, "eval", evaluator.name));
        specs
            .filter(|spec| self.board.entrants(std::slice::from_ref(spec), Watch::nobody()).is_ok())
            .collect()
    }

    /// A player without a network for the board is given one that has learnt from a few games.
    fn with_network(&self, spec: String) -> String {
        if self.board.entrants(std::slice::from_ref(&spec), Watch::nobody()).is_ok() {
            return spec;
        }
        let (method, name) = if spec.starts_with("zero") {
            ("zero:games=20,generation=10,sims=4,check=0", "zero")
        } else {
            ("td-lambda:games=20", "net.npz")
        };
        let out = self.folder.path().join(name);
        self.train(method, &out);
        with_param(&spec, "file", &out.display().to_string())
    }

    fn train(&self, method: &str, out: &Path) {
        let plan = TrainPlan { method, seed: 1, out, resume: false, threads: None };
        self.board.train(&plan, Watch::nobody()).unwrap();
    }

    /// A table at which this player is to move.
    fn table(&self, position: Option<&str>, player: &str) -> Box<dyn Table> {
        let mut table = self.board.table(position, 1).unwrap();
        table.seat(table.to_move(), player, Watch::nobody()).unwrap();
        table
    }
}

fn with_param(spec: &str, name: &str, value: &str) -> String {
    format!("{spec}{}{name}={value}", if spec.contains(':') { ',' } else { ':' })
}

/// The processor time of a thread, where the system tells it.
#[derive(Clone)]
struct ThreadClock {
    begun: Instant,
    statistics: Option<PathBuf>,
}

impl ThreadClock {
    fn of_this_thread() -> Self {
        let thread = fs::read_link("/proc/thread-self").ok();
        let statistics = thread.map(|thread| Path::new("/proc").join(thread).join("schedstat"));
        Self { begun: Instant::now(), statistics }
    }

    fn now(&self) -> Duration {
        let text = self.statistics.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let nanoseconds = text.and_then(|text| text.split_whitespace().next()?.parse().ok());
        nanoseconds.map_or_else(|| self.begun.elapsed(), Duration::from_nanos)
    }
}

/// The player with the deepest search that it can be asked for, by each of its methods.
fn longest_searches(player: &Listing) -> Vec<String> {
    let words = |name: &str| {
        let param = player.params.iter().find(|param| param.name == name);
        match param.map(|param| &param.kind) {
            Some(ParamKind::Word(words)) => words.to_vec(),
            _ => Vec::new(),
        }
    };
    let mut searches = vec![longest_search(player)];
    for (method, weights) in
        words("method").iter().flat_map(|method| words("weights").into_iter().map(move |it| (method, it)))
    {
        searches.push(format!("{}:method={method},weights={weights}", player.name));
    }
    searches
}

fn longest_search(player: &Listing) -> String {
    if player.params.iter().any(|param| param.name == "effort") {
        return format!("{}:effort=deep", player.name);
    }
    for name in ["depth", "sims"] {
        let param = player.params.iter().find(|param| param.name == name);
        if let Some(ParamKind::Whole(_, most)) = param.map(|param| &param.kind) {
            return format!("{}:{name}={most}", player.name);
        }
    }
    player.name.to_owned()
}

/// The least time of a few tries.
fn best_time(mut attempt: impl FnMut() -> Duration) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        best = best.min(attempt());
        if best <= PROMPT {
            break;
        }
    }
    best
}

/// How long the player goes on after it was told to stop, which it was after a while.
fn time_to_stop(table: &mut dyn Table, thinks: Duration) -> Duration {
    let (stop, is_done) = (AtomicBool::new(thinks.is_zero()), AtomicBool::new(false));
    let (clock, begun) = (ThreadClock::of_this_thread(), Instant::now());
    let at_first = clock.now();
    thread::scope(|scope| {
        let alarm = scope.spawn(|| {
            while begun.elapsed() < thinks && !is_done.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            stop.store(true, Ordering::Relaxed);
            clock.now()
        });
        let opinion = table.think(Watch::new(&stop, &|_| {}), None).unwrap();
        let (ended, elapsed) = (clock.now(), begun.elapsed());
        is_done.store(true, Ordering::Relaxed);
        let told = alarm.join().unwrap();
        assert!(elapsed < thinks + PATIENCE, "{elapsed:?}");
        assert!(table.legal().contains(&opinion.best));
        assert!(opinion.candidates.iter().any(|candidate| candidate.mv == opinion.best));
        ended.saturating_sub(if thinks.is_zero() { at_first } else { told })
    })
}

/// Stops every player at once and while it thinks.
fn check_stops(ground: &Ground) {
    let mut late = Vec::new();
    for player in ground.players() {
        for position in &ground.positions {
            let mut table = ground.table(position.as_deref(), &player);
            for thinks in [Duration::ZERO, THINKS] {
                let time = best_time(|| time_to_stop(&mut *table, thinks));
                if time > PROMPT {
                    let position = position.as_deref().unwrap_or("the start");
                    late.push(format!("{player} after {thinks:?} took {time:?} on {position:.80}"));
                }
            }
        }
    }
    assert!(late.is_empty(), "{}:\n{}", ground.board.info().spec, late.join("\n"));
}

fn think(ground: &Ground, position: Option<&str>, player: &str) -> Opinion {
    ground.table(position, player).think(Watch::nobody(), None).unwrap()
}

/// Gives every player that takes a budget a small one.
fn check_budgets(ground: &Ground) {
    let info = ground.board.info();
    let has = |player: &Listing, name| player.params.iter().any(|param| param.name == name);
    for player in info.players.iter().filter(|player| player.name != "uci") {
        for position in &ground.positions {
            let position = position.as_deref();
            if has(player, "time") {
                for milliseconds in [1, 40] {
                    let spec = ground.with_network(format!("{}:time={milliseconds}ms", player.name));
                    let budget = Duration::from_millis(milliseconds);
                    let mut table = ground.table(position, &spec);
                    let clock = ThreadClock::of_this_thread();
                    let beyond = best_time(|| {
                        let begun = clock.now();
                        table.think(Watch::nobody(), None).unwrap();
                        clock.now().saturating_sub(begun + budget)
                    });
                    assert!(beyond <= PROMPT, "{spec} took {beyond:?} more on {position:?}");
                }
            }
            for (name, budget) in [("nodes", 2000), ("sims", 50)] {
                if has(player, name) && has(player, "time") {
                    let spec = ground.with_network(format!("{}:{name}={budget}", player.name));
                    let nodes = think(ground, position, &spec).nodes;
                    // The engine's first iteration has more room.
                    let most = if player.name == "engine" { 1 << 15 } else { budget };
                    assert!(nodes <= most, "{spec} took {nodes} on {position:?}");
                }
            }
        }
    }
}

fn check(ground: &Ground) {
    check_stops(ground);
    check_budgets(ground);
}

/// Two kings and fifteen pieces of each side, anywhere.
fn crowded_chess(seed: u64) -> String {
    let mut rng = Rng::stream(11, seed);
    let mut squares: Vec<char> = "QQRRBBBBNNNNNNN".chars().chain(['K']).collect();
    squares.extend("qqrrbbbbnnnnnnn".chars().chain(['k']));
    squares.resize(64, '1');
    rng.shuffle(&mut squares);
    let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
    format!("{} w - - 0 1", ranks.join("/"))
}

#[test]
fn players_of_chess_stop() {
    let mut ground = Ground::new("chess", Vec::new());
    let crowded = (0..)
        .map(crowded_chess)
        .filter(|fen| ground.board.table(Some(fen), 1).is_ok_and(|table| !table.legal().is_empty()));
    let known = [
        "Nn1nnbk1/1NnNb1B1/5n2/2B3B1/n1nbN1B1/n1N1n3/nnNN4/K2NnB2 b - - 98 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    ];
    let positions = known.map(str::to_owned).into_iter().chain(crowded.take(1));
    ground.positions = positions.map(Some).collect();
    check(&ground);
}

/// Boards on which nothing is proven: one with numbers that all depend on each other, one with a long endgame, and one with
/// many cells.
#[test]
fn players_of_minesweeper_stop() {
    let lattice = [".".repeat(63), ".2".repeat(31) + "."].join("\n");
    let lattice = format!("mines 142\n{}\n{}", [&*lattice; 4].join("\n"), ".".repeat(63));
    let endgame = format!("mines 3\n1........{}", "\n.........".repeat(5));
    check(&Ground::new("minesweeper:rows=64,cols=64,mines=800", vec![Some(lattice), Some(endgame), None]));
    check(&Ground::wandering("minesweeper:rows=5,cols=5,mines=6"));
}

#[test]
fn players_of_quoridor_stop() {
    for board in ["quoridor", "quoridor:size=5,walls=1", "quoridor:size=4,walls=2"] {
        check(&Ground::wandering(board));
    }
}

#[test]
fn players_of_the_other_games_stop() {
    let named = ["chess", "minesweeper", "quoridor"];
    for game in games().iter().filter(|game| !named.contains(&game.name)) {
        check(&Ground::wandering(game.name));
    }
    check(&Ground::wandering("othello:size=4"));
}
