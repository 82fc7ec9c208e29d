//! The documents whose tables and figures are reproduced, and the project's own studies: one folder per document.
//!
//! A procedure is the document's own, with the document's own parameters, and never tuned to land on the document's numbers. Where it
//! is not the document's, `papers/<slug>/deviations.md` says so.
#![warn(missing_docs)]

pub mod artefact;
mod bourdet_abadie_2025;
mod chessmate_2018;
mod info_f_106_2019;
mod mueller_1992;
mod outplay_loderunner;
mod outplay_minesweeper;
mod outplay_pushover;
mod outplay_quoridor;
mod salamone_2018;
mod share_difference;
mod yes_no_row;

use crate::artefact::{Artefact, Paper};
use outplay_lab::spec::{Noun, SpecError};
use outplay_runtime::WorkError;

/// All documents.
pub static PAPERS: &[Paper] = &[
    bourdet_abadie_2025::PAPER,
    mueller_1992::PAPER,
    outplay_pushover::PAPER,
    info_f_106_2019::PAPER,
    outplay_quoridor::PAPER,
    chessmate_2018::PAPER,
    salamone_2018::PAPER,
    outplay_minesweeper::PAPER,
    outplay_loderunner::PAPER,
];

/// The artefacts that a text names, by paper: `mueller-1992`, `mueller-1992/table-4.1`, or the beginning of such a
/// name if it can be only one; everything if nothing is named.
pub fn select(text: Option<&str>) -> Result<Vec<(&'static Paper, Vec<&'static Artefact>)>, WorkError> {
    let Some(text) = text else {
        return Ok(PAPERS.iter().map(|paper| (paper, paper.artefacts.iter().collect())).collect());
    };
    let (paper, artefact) = match text.split_once('/') {
        Some((paper, artefact)) => (paper, Some(artefact)),
        None => (text, None),
    };
    let paper = named(Noun::Paper, paper, PAPERS, |paper| paper.slug)?;
    let artefacts = match artefact {
        Some(name) => vec![named(Noun::Artefact, name, paper.artefacts, |artefact| artefact.name)?],
        None => paper.artefacts.iter().collect(),
    };
    Ok(vec![(paper, artefacts)])
}

/// The entry of this name, or the only one whose name begins so.
fn named<'e, E>(
    what: Noun,
    name: &str,
    entries: &'e [E],
    name_of: impl Fn(&E) -> &'static str,
) -> Result<&'e E, SpecError> {
    let begun: Vec<&E> =
        entries.iter().filter(|entry| !name.is_empty() && name_of(entry).starts_with(name)).collect();
    if let Some(exact) = begun.iter().find(|entry| name_of(entry) == name) {
        return Ok(exact);
    }
    if let [only] = begun[..] {
        return Ok(only);
    }
    let meant = if begun.is_empty() { entries.iter().collect() } else { begun };
    let expected = meant.into_iter().map(|entry| name_of(entry).to_owned()).collect();
    Err(SpecError::Unknown { what, name: name.to_owned(), expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Published;

    fn names(text: Option<&str>) -> Vec<String> {
        let chosen = select(text).unwrap();
        let names = chosen.iter().flat_map(|(paper, artefacts)| {
            artefacts.iter().map(|artefact| format!("{}/{}", paper.slug, artefact.name))
        });
        names.collect()
    }

    #[test]
    fn names_and_their_beginnings_select() {
        let all: usize = PAPERS.iter().map(|paper| paper.artefacts.len()).sum();
        assert_eq!(names(None).len(), all);
        assert_eq!(names(Some("mueller-1992")).len(), 10);
        assert_eq!(names(Some("mueller")), names(Some("mueller-1992")));
        assert_eq!(names(Some("mueller-1992/table-4.1")), ["mueller-1992/table-4.1"]);
        assert_eq!(names(Some("mu/sec")), ["mueller-1992/second-approach"]);
    }

    #[test]
    fn ghosts_are_published_numbers_of_methods_that_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let store = std::sync::Arc::new(outplay_lab::Store::at(folder.path()));
        for (paper, ghost) in
            PAPERS.iter().flat_map(|paper| paper.ghosts.iter().map(move |ghost| (paper, ghost)))
        {
            let value = ghost.value(&Published::read(paper.published).unwrap()).unwrap();
            assert!((0.0..1.0).contains(&value), "{}: {value}", ghost.curve);
            let methods = outplay_lab::open_game(ghost.game, &store).unwrap().info().methods.clone();
            assert!(methods.iter().any(|method| method.listing.name == ghost.method), "{}", ghost.method);
        }
    }

    #[test]
    fn what_depends_on_the_clock_is_an_artefact() {
        for paper in PAPERS {
            let has = |name: &str| paper.artefacts.iter().any(|artefact| artefact.name == name);
            assert!(paper.timed.iter().all(|name| has(name)), "{}", paper.slug);
        }
    }

    #[test]
    fn refusals_name_what_there_is() {
        let refusal = |text| select(Some(text)).map(|_| ()).unwrap_err().to_string();
        let expected = PAPERS.iter().map(|paper| paper.slug).collect::<Vec<_>>().join(", ");
        assert_eq!(refusal("foo"), format!("unknown paper 'foo': expected one of {expected}"));
        assert_eq!(refusal(""), format!("unknown paper '': expected one of {expected}"));
        let several = refusal("mueller-1992/table");
        assert_eq!(
            several,
            "unknown artefact 'table': expected one of table-4.1, table-4.2, table-4.3, table-4.4, table-4.5"
        );
        assert!(
            refusal("mueller-1992/").contains("expected one of database, experts, all-positions, table-4.1")
        );
    }
}
