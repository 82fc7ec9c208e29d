//! AIs for the document's tournament (§4.3) that are trained unattended: 5×5, three walls each.
//!
//! The document demands its own file format to the letter, so that its programs can play every entrant: `N`, `WALLS`, `W1`
//! (H×90), `W2`, sigmoids, the best of its own moves without search. That is what is trained unless the user asks for the
//! strongest AI we know, which sees other inputs and searches. Both are ordinary runs of a method of self-play, so they can be
//! stopped, resumed and made again by `train`; `docs/methods/self-play.md` says how their parameters were found.

/// The tournament's game.
pub const BOARD: &str = "quoridor:size=5,walls=3";

/// Whose programs can play the AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournoiForm {
    /// Those of the course.
    Course,
    /// Only ours: it looks five plies ahead and sees the lengths of the paths.
    Strongest,
}

/// The method with its parameters for this many games.
pub fn method(games: u64, form: TournoiForm) -> String {
    match form {
        TournoiForm::Course => format!("td-lambda:games={games},softmax={games},{COURSE},notes=no"),
        TournoiForm::Strongest => format!("td-lambda:games={games},{STRONGEST},depth=5"),
    }
}

const COURSE: &str = "temperature=0.05,hidden=80,alpha=0.8,alpha-end=0.02,lambda=0.8,deviation=0.1";

const STRONGEST: &str =
    "encoding=ways,hidden=80,alpha=0.1,alpha-end=0.01,eps=0.3,eps-end=0.05,lambda=0.7,deviation=0.1";
