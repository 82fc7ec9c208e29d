//! The command line: its commands and options with their help texts, and nothing else.

use std::fmt::Display;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use outplay_runtime::files::{MAX_LINE_BYTES, read_at_most};

/// A laboratory of game-playing programs: play them, watch them think, train them, pit them against each other.
#[derive(Parser)]
#[command(name = "outplay", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    /// Print results as JSON on standard output; messages for people go to standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The data directory [default: OUTPLAY_DATA, or the user's own data folder].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// The MiB of memory that all work together may use, as estimated beforehand [default: three quarters of the machine's].
    #[arg(long, global = true, value_name = "MIB", value_parser = whole::<u32>(1024, None))]
    pub(crate) memory: Option<u32>,
    #[command(flatten, next_help_heading = "Options of the studio, also without a command")]
    pub(crate) studio: StudioArgs,
}

const AFTER_HELP: &str = "\
GAME is a name with parameters: pushover, pushover:size=5. So is a player: random, expert:depth=2,
alphabeta:depth=6,eval=net, mcts:sims=1000. 'outplay games' and 'outplay players GAME' list them all.

  outplay                       the studio on http://127.0.0.1:7878
  outplay --port 8080           the same as outplay studio --port 8080
  outplay play pushover
  outplay match pushover net:depth=2 expert:depth=2 --games 1000 --random-plies 4
  outplay solve pushover
  outplay reproduce mueller-1992 --scale desk";

#[derive(Subcommand)]
pub(crate) enum CliCommand {
    /// Opens the studio in the browser: play, analyse, train, compare (what a bare `outplay` does).
    Studio(StudioArgs),
    /// A short tour of the terminal: one shown game, and what to try next.
    Tour,
    /// Lists the games with their parameters.
    Games,
    /// Lists the players and methods of a game with their parameters.
    Players {
        /// The game.
        game: String,
    },
    /// Plays a game in the terminal.
    Play(PlayArgs),
    /// Plays many games between two players.
    Match(MatchArgs),
    /// Plays every player against every other.
    Tournament(TournamentArgs),
    /// Rates the players of recorded games.
    Ratings(RatingsArgs),
    /// Shows a recorded game, checking every move.
    Replay(ReplayArgs),
    /// Trains a network or another learner and writes it to a file.
    Train(TrainArgs),
    /// Tries every combination of a method's parameters and compares them by their final measure.
    Sweep(SweepArgs),
    /// Makes or describes a data base of examples.
    Data(DataArgs),
    /// Measures how good a trained network is: its errors on a test set, its games.
    Evaluate(EvaluateArgs),
    /// Shows what a player thinks of a position, or judges the moves of a recorded game.
    Analyse(AnalyseArgs),
    /// Counts the leaves of the game tree.
    Perft(PerftArgs),
    /// Gives the exact value of a position, where a solver exists.
    Solve(SolveArgs),
    /// Runs the tables and figures of the documents and writes reports.
    Reproduce(ReproduceArgs),
    /// Measures the speeds of this build on this machine.
    Bench(BenchArgs),
    /// Makes, trains, compares and plays AIs by the commands of INFO-F-106, typed or piped from a script.
    Console {
        /// The game.
        game: String,
    },
    /// Trains an AI for the tournament of INFO-F-106, in its file format: Quoridor 5×5 with three walls each.
    Tournoi(TournoiArgs),
    /// Makes a book of balanced openings of chess for matches, one FEN per line.
    Openings(OpeningsArgs),
    /// Runs the chess engine under the Universal Chess Interface (UCI), on standard input and output.
    Uci,
}

#[derive(Args)]
pub(crate) struct StudioArgs {
    /// The port; 0 takes any free one [default: 7878].
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// The address to listen on; one that other machines can reach needs a token [default: 127.0.0.1].
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<IpAddr>,
    /// Cores for trainings, tournaments and solvers [default: all but one].
    #[arg(long, value_parser = whole::<usize>(1, Some(1024)), value_name = "T")]
    pub(crate) threads: Option<usize>,
    /// The token that every request must carry; other users of the machine can see it here, but not in a file or in
    /// OUTPLAY_TOKEN.
    #[arg(long)]
    pub(crate) token: Option<String>,
    /// A file that holds the token.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub(crate) token_file: Option<PathBuf>,
    /// Ask the studio at this address and port, or that of the data directory, whether it answers, instead of opening one;
    /// ends with 1 if it does not.
    #[arg(long, conflicts_with_all = ["threads", "token", "token_file"])]
    pub(crate) check: bool,
}

impl StudioArgs {
    /// The first option that was given, if any.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let Self { port, host, threads, token, token_file, check } = self;
        let all = [
            ("--port", port.is_some()),
            ("--host", host.is_some()),
            ("--threads", threads.is_some()),
            ("--token", token.is_some()),
            ("--token-file", token_file.is_some()),
            ("--check", *check),
        ];
        all.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The game.
    pub(crate) game: String,
    /// Who sits first: human or a player.
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    pub(crate) first: String,
    /// Who sits second: human or a player [default: a strong player].
    #[arg(long, value_name = "PLAYER")]
    pub(crate) second: Option<String>,
    /// Start from this position, or from the one in this file.
    #[arg(long, value_parser = position)]
    pub(crate) position: Option<String>,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Append the finished game to this file as one JSON record.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Draws the last position as an SVG picture into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct MatchArgs {
    /// The game.
    pub(crate) game: String,
    /// The players: two, or one in a one-player game.
    #[arg(required = true, num_args = 1..=2, value_name = "PLAYER")]
    pub(crate) players: Vec<String>,
    #[command(flatten)]
    pub(crate) contest: ContestArgs,
    /// The first-named player always sits first, instead of every other game.
    #[arg(long)]
    pub(crate) fixed_seats: bool,
    /// Stop as soon as a sequential probability ratio test decides: Elo of the two hypotheses, such as 0,10.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<String>,
}

#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// The game.
    pub(crate) game: String,
    /// The players, two or more; an .npz file stands for the player that uses it.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    pub(crate) players: Vec<String>,
    /// Two games per pairing, then a knock-out among the top K (a power of two; fewer if there are fewer players); tied
    /// matches are replayed on other boards.
    #[arg(long, value_name = "K", conflicts_with_all = ["games", "random_plies"])]
    #[arg(value_parser = whole::<u32>(2, Some(1024)))]
    pub(crate) knockout: Option<u32>,
    #[command(flatten)]
    pub(crate) contest: ContestArgs,
}

/// The options that a match and a tournament share.
#[derive(Args)]
pub(crate) struct ContestArgs {
    /// Number of games, in a tournament per pairing.
    #[arg(long, default_value_t = 100, value_parser = whole::<u64>(1, None))]
    pub(crate) games: u64,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Random plies before the players take over.
    #[arg(long, default_value_t = 0, value_name = "K", value_parser = whole::<u32>(0, None))]
    pub(crate) random_plies: u32,
    /// Games played at a time [default: one per core].
    #[arg(long, value_parser = whole::<usize>(1, Some(1024)), value_name = "T")]
    pub(crate) threads: Option<usize>,
    /// Append every game to this file as it ends, one JSON record per line.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Go on from the games in the file, which are not played again.
    #[arg(long, requires = "record")]
    pub(crate) resume: bool,
}

#[derive(Args)]
pub(crate) struct RatingsArgs {
    /// Files of recorded games.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// A file of recorded games.
    pub(crate) file: PathBuf,
    /// Which record of the file, from 1.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1, None))]
    pub(crate) game: u64,
    /// Draws the last position as an SVG picture into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct TrainArgs {
    /// The game.
    pub(crate) game: String,
    /// The method, with parameters as name:key=value,…
    pub(crate) method: String,
    /// More parameters of the method.
    #[arg(value_name = "KEY=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Train with K seeds from --seed on, one per thread; FILE a.npz becomes a-0.npz, a-1.npz, …
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1, Some(10_000)))]
    pub(crate) seeds: Option<u64>,
    /// Resume an unfinished run.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Threads to learn on [default: one per core].
    #[arg(long, value_parser = whole::<usize>(1, Some(1024)), value_name = "T")]
    pub(crate) threads: Option<usize>,
}

#[derive(Args)]
#[command(after_help = SWEEP_HELP)]
pub(crate) struct SweepArgs {
    /// The game.
    pub(crate) game: String,
    /// A training method, or a method that is only tested (chess: knn); parameters that are the same for all points as
    /// name:key=value,…
    pub(crate) method: String,
    /// Parameters with all values to try; 1..9 are the whole numbers from 1 to 9.
    #[arg(value_name = "KEY=VALUE,VALUE…")]
    pub(crate) parameters: Vec<String>,
    /// The folder to write: records, the product of each point, the table and the figure.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The measure by which points are compared [default: the method's first].
    #[arg(long, value_name = "NAME")]
    pub(crate) measure: Option<String>,
    /// The seed of every point.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Resume the sweep in the folder, or show it again.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Points worked on at a time [default: one per core].
    #[arg(long, value_parser = whole::<usize>(1, Some(1024)), value_name = "T")]
    pub(crate) threads: Option<usize>,
}

const SWEEP_HELP: &str = "\
  outplay sweep chess knn k=1..15 sees=oriented,document --out by-k
  outplay sweep chess net:epochs=3 rate=0.001,0.0001 batch=64,256 dense=128-128,256-256-256 --out nets
  outplay sweep quoridor:size=5,walls=1 td-lambda:games=20000 alpha=0.1,0.2,0.4 lambda=0,0.5,0.9 --out td";

#[derive(Args)]
pub(crate) struct DataArgs {
    /// The game.
    pub(crate) game: String,
    /// Parameters of the data base to make.
    #[arg(value_name = "KEY=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Make a data base and write it here.
    #[arg(long, value_name = "FILE", required_unless_present = "describe", conflicts_with = "describe")]
    pub(crate) out: Option<PathBuf>,
    /// Describe the data base in this file.
    #[arg(long, value_name = "FILE", conflicts_with = "parameters")]
    pub(crate) describe: Option<PathBuf>,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Resume an unfinished run, where the work is long enough to have one.
    #[arg(long, conflicts_with = "describe")]
    pub(crate) resume: bool,
    /// Threads to work on [default: one per core].
    #[arg(long, value_parser = whole::<usize>(1, Some(1024)), value_name = "T")]
    pub(crate) threads: Option<usize>,
}

#[derive(Args)]
pub(crate) struct EvaluateArgs {
    /// The game.
    pub(crate) game: String,
    /// The network's file.
    pub(crate) file: PathBuf,
    /// Parameters of the evaluation.
    #[arg(value_name = "KEY=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Draw the figures of the evaluation, as SVG files in this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) svg: Option<PathBuf>,
    /// The seed of every random choice [default: the one that the file was made with, where that matters, or 0].
    #[arg(long, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: Option<u64>,
}

#[derive(Args)]
pub(crate) struct AnalyseArgs {
    /// The game.
    pub(crate) game: String,
    /// The position, or a file that holds it [default: the start].
    #[arg(long, value_parser = position)]
    pub(crate) position: Option<String>,
    /// Review a recorded game in this file instead: which moves were mistakes, what was luck.
    #[arg(long = "game", value_name = "FILE", conflicts_with = "position")]
    pub(crate) record: Option<PathBuf>,
    /// Which record of the file, from 1.
    #[arg(long, default_value_t = 1, requires = "record", conflicts_with = "position")]
    #[arg(value_parser = whole::<u64>(1, None))]
    pub(crate) number: u64,
    /// Playouts for each judgement that is not exact.
    #[arg(long, default_value_t = 400, requires = "record", conflicts_with = "position")]
    #[arg(value_parser = whole::<u64>(2, Some(1_000_000)))]
    pub(crate) samples: u64,
    /// The player that judges, or that plays the playouts [default: a strong player].
    #[arg(long, value_name = "PLAYER")]
    pub(crate) player: Option<String>,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Draws the position as an SVG picture into this file.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct PerftArgs {
    /// The game.
    pub(crate) game: String,
    /// Depth in plies.
    #[arg(value_parser = whole::<u32>(0, Some(100)))]
    pub(crate) depth: u32,
    /// The position, or a file that holds it [default: the start].
    #[arg(long, value_parser = position)]
    pub(crate) position: Option<String>,
    /// Split the count by first move.
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// The game.
    pub(crate) game: String,
    /// The position, or a file that holds it [default: the start].
    #[arg(long, value_parser = position)]
    pub(crate) position: Option<String>,
    /// Leave out the rule against repetition.
    #[arg(long)]
    pub(crate) no_ko: bool,
    /// Draws the position as an SVG picture into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ReproduceArgs {
    /// A document, or one artefact of it: mueller-1992, mueller-1992/table-4.1 [default: all].
    #[arg(value_name = "PAPER[/ARTEFACT]")]
    pub(crate) what: Option<String>,
    /// How large the experiments are: seconds, minutes, or the document's own size.
    #[arg(long, value_enum, default_value_t = ScaleName::Smoke)]
    pub(crate) scale: ScaleName,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Games played at a time [default: one per core].
    #[arg(long, value_parser = whole::<usize>(1, Some(1024)), value_name = "T")]
    pub(crate) threads: Option<usize>,
    /// Run nothing; report on what earlier runs have recorded.
    #[arg(long)]
    pub(crate) report_only: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ScaleName {
    Smoke,
    Desk,
    Full,
}

#[derive(Args)]
pub(crate) struct TournoiArgs {
    /// Games to learn from.
    #[arg(value_parser = whole::<u64>(1, Some(1_000_000_000_000)))]
    pub(crate) games: u64,
    /// The file to write.
    pub(crate) file: PathBuf,
    /// Train the strongest AI we know instead, which the course's programs cannot play: it sees the lengths of the paths and
    /// looks five plies ahead.
    #[arg(long)]
    pub(crate) strongest: bool,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
    /// Resume an unfinished run.
    #[arg(long)]
    pub(crate) resume: bool,
}

#[derive(Args)]
pub(crate) struct OpeningsArgs {
    /// The file to write.
    pub(crate) file: PathBuf,
    /// Number of openings.
    #[arg(long, default_value_t = 500, value_parser = whole::<u64>(1, Some(1_000_000)))]
    pub(crate) count: u64,
    /// Random plies per opening, or one more.
    #[arg(long, default_value_t = 8, value_parser = whole::<u32>(0, Some(100)))]
    pub(crate) plies: u32,
    /// Positions that the engine searches to judge an opening.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(1, None))]
    pub(crate) nodes: u64,
    /// How far from even an opening may be, in hundredths of a pawn.
    #[arg(long, default_value_t = 40, value_parser = whole::<i32>(0, Some(10_000)))]
    pub(crate) margin: i32,
    /// The seed of every random choice.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0, None))]
    pub(crate) seed: u64,
}

#[derive(Args)]
pub(crate) struct BenchArgs {
    /// The game [default: all].
    pub(crate) game: Option<String>,
}

/// Reads a whole number from `least` on, to `most` if that is given.
fn whole<T>(least: T, most: Option<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Copy + Display,
{
    move |text| {
        let number =
            text.parse().ok().filter(|&number| number >= least && most.is_none_or(|most| number <= most));
        number.ok_or_else(|| match most {
            Some(most) => format!("expected a whole number from {least} to {most}"),
            None => format!("expected a whole number from {least} on"),
        })
    }
}

/// The position itself, or what the file of this name holds.
fn position(text: &str) -> Result<String, String> {
    let path = Path::new(text);
    if path.is_file() {
        let bytes = read_at_most(path, MAX_LINE_BYTES as u64).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| format!("{} is not a text", path.display()))
    } else if path.is_dir() {
        Err("expected a file or a position, not a folder".to_owned())
    } else if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt")) {
        Err("there is no such file".to_owned())
    } else {
        Ok(text.to_owned())
    }
}
