//! The works that the ordeal disturbs: small ones of every kind that writes files.

use super::process::TestedProgram;

/// A command that can be resumed.
pub(super) struct Work {
    pub(super) name: &'static str,
    pub(super) begin: Vec<String>,
    pub(super) resume: Vec<String>,
}

/// All of them, as they are run in an empty folder.
pub(super) fn all(program: &TestedProgram) -> Vec<Work> {
    let engine = format!("engine={} uci", program.path().display());
    let data = ["data", "chess", &engine, "games=12", "depth=3", "opening=4", "plies=60", "--out", "set"];
    vec![
        resumable(
            "training (bfgs)",
            "train pushover bfgs:encoding=features games=120 positions=600 iterations=150 --out net --threads 2",
        ),
        resumable("training (td-lambda)", "train tictactoe td-lambda games=40000 --out table --threads 2"),
        resumable(
            "match",
            "match pushover random mcts:sims=60 --games 40 --random-plies 2 --threads 2 --record games.jsonl",
        ),
        resumable(
            "tournament",
            "tournament pushover random greedy expert:depth=2 --games 30 --random-plies 2 --threads 2 --record games.jsonl",
        ),
        resumable(
            "sweep",
            "sweep pushover bfgs:games=60,positions=300,iterations=60 hidden=3,5 encoding=cells,features --out sweep --threads 2",
        ),
        repeatable("reproduction", "reproduce mueller-1992/table-4.1 --scale smoke --threads 2 --data data"),
        Work {
            name: "data set",
            begin: data.map(str::to_owned).to_vec(),
            resume: [&data[..], &["--resume"]].concat().into_iter().map(str::to_owned).collect(),
        },
    ]
}

fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}

fn resumable(name: &'static str, command: &str) -> Work {
    Work { name, begin: words(command), resume: words(&format!("{command} --resume")) }
}

/// One that goes on by itself.
fn repeatable(name: &'static str, command: &str) -> Work {
    Work { name, begin: words(command), resume: words(command) }
}
