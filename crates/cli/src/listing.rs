//! What there is: `outplay games`, `outplay players GAME`.

use outplay_lab::registry::Listing;
use outplay_lab::spec::Param;
use outplay_lab::{GAMES, LabError};
use serde::Serialize;

use crate::desk::{Desk, table};

#[derive(Serialize)]
struct Item {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    expected: String,
    default: Option<&'static str>,
    help: &'static str,
}

impl Item {
    fn new(name: &'static str, summary: &'static str, params: &[Param]) -> Self {
        let parameter = |param: &Param| Parameter {
            name: param.name,
            expected: param.expected(),
            default: param.default,
            help: param.help,
        };
        Self { name, summary, parameters: params.iter().map(parameter).collect() }
    }
}

#[derive(Serialize)]
struct Offer {
    players: Vec<Item>,
    methods: Vec<Item>,
}

pub(crate) fn games(desk: &Desk) {
    let items: Vec<Item> =
        GAMES.iter().map(|entry| Item::new(entry.name, entry.summary, entry.params)).collect();
    desk.give(&items, || draw(&items));
}

pub(crate) fn players(desk: &Desk, game: &str) -> Result<(), LabError> {
    let house = desk.house(game)?;
    let items = |listings: Vec<Listing>| -> Vec<Item> {
        listings.iter().map(|entry| Item::new(entry.name, entry.summary, &entry.params)).collect()
    };
    let offer = Offer { players: items(house.players()), methods: items(house.methods()) };
    desk.give(&offer, || {
        let methods = if offer.methods.is_empty() {
            String::new()
        } else {
            format!("\n\nWays to train (outplay train {game} METHOD --out FILE):\n{}", draw(&offer.methods))
        };
        format!("Players of {game}:\n{}{methods}", draw(&offer.players))
    });
    Ok(())
}

fn draw(items: &[Item]) -> String {
    let rows = items.iter().flat_map(|item| {
        let head = vec![item.name.to_owned(), String::new(), item.summary.to_owned()];
        let parameters = item.parameters.iter().map(|parameter| {
            let default =
                parameter.default.map_or_else(String::new, |default| format!(", {default} if not given"));
            let key = format!("{}=", parameter.name);
            vec![String::new(), key, format!("{}: {}{default}", parameter.help, parameter.expected)]
        });
        std::iter::once(head).chain(parameters).collect::<Vec<_>>()
    });
    table(&["name", "parameter", "what it is"], rows)
}
