//! What there is: `outplay games`, `outplay players GAME`.

use outplay_core::{Text, serialize_english};
use outplay_lab::params::Param;
use outplay_lab::registry::{Listing, Trial};
use outplay_runtime::WorkError;
use serde::Serialize;

use crate::terminal::Terminal;

#[derive(Serialize)]
struct Item {
    name: &'static str,
    #[serde(serialize_with = "serialize_english")]
    summary: Text,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    #[serde(serialize_with = "serialize_english")]
    expected: Text,
    default: Option<String>,
    #[serde(serialize_with = "serialize_english")]
    help: Text,
}

impl Item {
    fn new(name: &'static str, summary: &Text, params: &[Param]) -> Self {
        let parameter = |param: &Param| Parameter {
            name: param.name,
            expected: param.expected(),
            default: param.default.clone(),
            help: param.help.clone(),
        };
        Self { name, summary: summary.clone(), parameters: params.iter().map(parameter).collect() }
    }
}

#[derive(Serialize)]
struct Offer {
    players: Vec<Item>,
    evaluators: Vec<Item>,
    methods: Vec<Item>,
    exams: Vec<Item>,
    chores: Vec<Item>,
}

pub(crate) fn games(terminal: &Terminal) {
    let items: Vec<Item> =
        outplay_lab::games().iter().map(|def| Item::new(def.name, &def.summary, &def.params)).collect();
    terminal.print_result(&items, || draw(&items));
}

pub(crate) fn players(terminal: &Terminal, game: &str) -> Result<(), WorkError> {
    let board = terminal.open_game(game)?;
    let info = board.info();
    let item = |listing: &Listing| Item::new(listing.name, &listing.summary, &listing.params);
    let trial = |trial: &Trial| item(&trial.listing);
    let offer = Offer {
        players: info.players.iter().map(item).collect(),
        evaluators: info.evaluators.iter().map(item).collect(),
        methods: info.methods.iter().map(trial).collect(),
        exams: info.exams.iter().map(trial).collect(),
        chores: info.data.iter().chain(&info.evaluation).map(item).collect(),
    };
    terminal.print_result(&offer, || {
        let part = |title: String, items: &[Item]| format!("{title}\n\n{}", draw(items));
        let mut parts = vec![part(format!("Players of {game}"), &offer.players)];
        if !offer.evaluators.is_empty() {
            parts.push(part("Evaluators (eval=)".to_owned(), &offer.evaluators));
        }
        if !offer.methods.is_empty() {
            parts.push(part(
                format!("Ways to train (outplay train {game} METHOD --out FILE)"),
                &offer.methods,
            ));
        }
        if !offer.exams.is_empty() {
            parts.push(part(
                format!("Examined without a training (outplay sweep {game} EXAM KEY=VALUE,VALUE… --out DIR)"),
                &offer.exams,
            ));
        }
        if !offer.chores.is_empty() {
            parts.push(part(
                format!("Other work (outplay data {game} … --out FILE, outplay evaluate {game} FILE …)"),
                &offer.chores,
            ));
        }
        parts.join("\n\n")
    });
    Ok(())
}

/// A line for each item and, below it, one for each of its parameters with its default.
fn draw(items: &[Item]) -> String {
    let mut lines = Vec::new();
    for item in items {
        lines.push(format!("  {:<12} {}", item.name, item.summary));
        for Parameter { name, expected, default, help } in &item.parameters {
            let key = format!("{name}={}", default.as_deref().unwrap_or(""));
            lines.push(format!("      {key:<18} {help}: {expected}"));
        }
    }
    lines.join("\n")
}
