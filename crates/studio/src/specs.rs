//! Checking the games, players and methods that a request names.
//!
//! They are written as on the command line, within the studio's bounds. Where the lab takes a path, a request gives the identifier of a
//! model; no text of a request becomes a path. Players that run programs are not offered.

use std::path::PathBuf;

use outplay_core::Text;
use outplay_lab::AnyGame;
use outplay_lab::params::{Param, ParamKind, read_time};
use outplay_lab::registry::Listing;
use outplay_lab::spec::{Noun, Spec, SpecError, find_named};

use crate::bounds::{self, BoundError};
use crate::refusal::Refusal;

/// The player that a person plays.
pub(crate) const HUMAN: &str = "human";

/// Finds the file of a model by its identifier.
pub(crate) type FindModel<'a> = dyn Fn(&str) -> Option<PathBuf> + 'a;

/// A parameter with its range cut to the studio's bounds.
pub(crate) fn bounded(param: &Param, threads: usize) -> Param {
    let mut param = param.clone();
    if let (ParamKind::Whole(least, most), Some(bound)) = (&mut param.kind, bounds::most(param.name, threads))
    {
        *most = (*most).min(bound.max(*least));
    }
    param
}

/// The players that a request may name: all but those that run a program.
pub(crate) fn players(board: &dyn AnyGame) -> Vec<Listing> {
    let runs_programs =
        |listing: &Listing| listing.params.iter().any(|param| matches!(param.kind, ParamKind::Program));
    board.info().players.iter().filter(|listing| !runs_programs(listing)).cloned().collect()
}

/// Checks a player; returns it with paths in place of model identifiers.
pub(crate) fn player(
    board: &dyn AnyGame,
    text: &str,
    threads: usize,
    model: &FindModel<'_>,
) -> Result<String, Refusal> {
    let spec = parse(text)?;
    find_named(Noun::Player, &spec.name, &players(board), |listing| listing.name)?;
    let params = board.info().player_params(&spec)?;
    let owner = Noun::Player.named(&spec.name);
    checked(spec, &owner, &params, threads, model)
}

/// Checks a training method; returns it with paths in place of model identifiers.
pub(crate) fn method(
    board: &dyn AnyGame,
    text: &str,
    threads: usize,
    model: &FindModel<'_>,
) -> Result<String, Refusal> {
    let spec = parse(text)?;
    let methods = &board.info().methods;
    let listing = &find_named(Noun::Method, &spec.name, methods, |method| method.listing.name)?.listing;
    checked(spec, &Noun::Method.named(listing.name), &listing.params, threads, model)
}

/// Checks the parameters of an evaluation; returns them with paths in place of model identifiers.
pub(crate) fn evaluation(
    listing: &Listing,
    text: &str,
    threads: usize,
    model: &FindModel<'_>,
) -> Result<Spec, Refusal> {
    let spec = parse(text)?;
    find_named(Noun::Method, &spec.name, std::slice::from_ref(listing), |listing| listing.name)?;
    Ok(checked(spec, &Noun::Method.named(listing.name), &listing.params, threads, model)?.parse()?)
}

/// Parses a name with parameters, bounded in length.
pub(crate) fn parse(text: &str) -> Result<Spec, Refusal> {
    if text.len() > bounds::SPEC_LENGTH {
        return Err(BoundError::Name { length: text.len(), most: bounds::SPEC_LENGTH }.into());
    }
    Ok(text.parse()?)
}

fn checked(
    mut spec: Spec,
    owner: &Text,
    params: &[Param],
    threads: usize,
    model: &FindModel<'_>,
) -> Result<String, Refusal> {
    let params: Vec<Param> = params.iter().map(|param| bounded(param, threads)).collect();
    spec.check(owner, &params)?;
    for (key, value) in &mut spec.values {
        let kind = params.iter().find(|param| param.name == key.as_str()).map(|param| &param.kind);
        let wrong = |expected: Text| SpecError::Value { name: key.clone(), value: value.clone(), expected };
        match kind {
            Some(ParamKind::Time) if read_time(value).is_some_and(|time| time > bounds::THINKING_TIME) => {
                let most = bounds::THINKING_TIME.as_secs();
                let (en, fr) = (format!("at most {most} s"), format!("au plus {most} s"));
                return Err(wrong(Text { en: en.into(), fr: fr.into() }).into());
            }
            // Nobody sits at a keyboard beside the studio's trainings.
            Some(ParamKind::WordOrFile(words))
                if value.as_str() != HUMAN && words.contains(&value.as_str()) => {}
            Some(ParamKind::File | ParamKind::NeededFile | ParamKind::WordOrFile(_)) => {
                let expected =
                    Text::new("the name of a model that was trained here", "le nom d’un réseau entraîné ici");
                let path = model(value).ok_or_else(|| wrong(expected))?;
                *value = path.to_string_lossy().into_owned();
            }
            _ => {}
        }
    }
    Ok(spec.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use outplay_lab::{Store, open_game};

    fn said(game: &str, text: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let board = open_game(game, &Arc::new(Store::at(folder.path()))).unwrap();
        let model = |name: &str| (name == "abcdefgh").then(|| PathBuf::from("/data/a,b"));
        player(&*board, text, 2, &model).map_err(|refusal| refusal.message.en.into_owned())
    }

    #[test]
    fn only_models_become_paths() {
        assert_eq!(said("pushover", "net:file=abcdefgh").unwrap(), "net:file=/data/a\\,b");
        assert_eq!(
            said("pushover", "alphabeta:depth=2,eval=net,file=abcdefgh").unwrap(),
            "alphabeta:depth=2,eval=net,file=/data/a\\,b"
        );
        for text in ["net:file=/etc/passwd", "/etc/x.npz", "alphabeta:eval=net,file=x", "mcts:file=abcdefgh"]
        {
            said("pushover", text).unwrap_err();
        }
    }

    /// An opponent to learn from is a word or a model; nobody is asked for moves.
    #[test]
    fn opponents_are_words_or_models() {
        let folder = tempfile::tempdir().unwrap();
        let board = open_game("pushover", &Arc::new(Store::at(folder.path()))).unwrap();
        let model = |name: &str| (name == "abcdefgh").then(|| PathBuf::from("/data/a"));
        let said = |text: &str| method(&*board, text, 2, &model).ok();
        assert_eq!(said("td-lambda:second=random").as_deref(), Some("td-lambda:second=random"));
        assert_eq!(said("td0:second=q-table").as_deref(), Some("td0:second=q-table"));
        assert_eq!(said("td-lambda:first=abcdefgh").as_deref(), Some("td-lambda:first=/data/a"));
        assert_eq!(said("td-lambda:second=human"), None);
        assert_eq!(said("td-lambda:second=/etc/passwd"), None);
    }

    #[test]
    fn no_request_runs_a_program() {
        let refusal = said("chess", "uci:command=touch x").unwrap_err();
        assert!(refusal.starts_with("unknown player 'uci'"), "{refusal}");
    }

    #[test]
    fn budgets_are_bounded() {
        for text in ["alphabeta:table=257", "mcts:threads=3", "mcts:sims=10000001", "alphabeta:time=61s"] {
            let refusal = said("chess", text).unwrap_err();
            let value = text.split_once(':').unwrap().1;
            assert!(refusal.starts_with(value), "{refusal}");
        }
        said("chess", "alphabeta:table=256,time=60s").unwrap();
    }
}
