//! Lode Runner in the lab: its levels, its players, and what each game tells.

mod bench;
mod mcts;
mod players;

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use outplay_core::{Game, Text, errors};
use outplay_games::loderunner::{
    Delays, Fate, GuardPolicy, GuardRule, LEVELS, LevelPlan, LodeRunner, LodeRunnerState, LodeRunnerView,
    read_level, read_position,
};
use outplay_runtime::WorkError;
use outplay_runtime::files::read_at_most;

use crate::params::{ParamKind, ParamType, Tracked};
use crate::registry::{AnyGame, BoardDef, EditorDef, Facts, GameDef, Preset, TypedGame};
use crate::review::opinion;
use crate::spec::Spec;
use crate::store::Store;
use crate::{params, words};

errors! {
    /// Why there is no such level.
    pub enum LodeRunnerError {
        TwoLevels =
            "a level and a file cannot both be played: expected level= or file="
            | "un niveau et un fichier ne peuvent être joués à la fois : attendu level= ou file=",
        ForGenerated { name: &'static str } =
            "{name}= is for generated levels, and this one is there already: expected none"
            | "{name}= est pour les niveaux engendrés, et celui-ci existe déjà : aucun n’est attendu",
    }
}

/// Files that are longer are no levels.
const MAX_LEVEL_BYTES: u64 = 65_536;

/// Lode Runner on the list of games.
pub fn game() -> GameDef {
    let summary = Text::new(
        "take all the gold and leave by the top; dig holes to trap the guards (Bourdet & Abadie 2025, introduction)",
        "prendre tout l’or et sortir par le haut ; creuser des trous pour piéger les gardes (Bourdet & Abadie 2025, introduction)",
    );
    GameDef::new(
        "loderunner",
        Text::new("Lode Runner", "Lode Runner"),
        summary,
        LodeRunnerParams::default(),
        open,
    )
    .with_presets(&[
        Preset {
            title: Text::new("Small", "Petit"),
            detail: "10 × 16",
            game: "loderunner:rows=10,cols=16,difficulty=3",
        },
        Preset { title: Text::new("Classic", "Classique"), detail: "16 × 28", game: "loderunner" },
        Preset {
            title: Text::new("Large", "Grand"),
            detail: "28 × 32",
            game: "loderunner:rows=28,cols=32,difficulty=8",
        },
        Preset {
            title: Text::new("First steps", "Premiers pas"),
            detail: "6 × 10",
            game: "loderunner:level=ladder",
        },
        Preset { title: Text::new("A trap", "Un piège"), detail: "5 × 14", game: "loderunner:level=trap" },
        Preset { title: Text::new("Everything", "Tout"), detail: "12 × 22", game: "loderunner:level=all" },
    ])
    .with_picture(LEVELS[LEVELS.len() - 1].text)
}

params! {
    /// Which levels are played, and by which rules.
    pub struct LodeRunnerParams {
        level: LevelChoice = LevelChoice::Generated,
            "the level: generated for each game, or one that comes with the game"
            | "le niveau : engendré pour chaque partie, ou l’un de ceux du jeu";
        file: Option<PathBuf> = None,
            "a file with a level, also in the letters of the Video Game Level Corpus"
            | "un fichier contenant un niveau, aussi dans les lettres du Video Game Level Corpus";
        seed: Option<u64> = None, in 0..=u64::MAX >> 1,
            "the same generated level in every game, that of this seed"
            | "le même niveau engendré à chaque partie, celui de ce germe";
        rows: Tracked<usize> = 16.into(), in 7..=28, "rows of generated levels" | "lignes des niveaux engendrés";
        columns as "cols": Tracked<usize> = 28.into(), in 8..=32, "columns of generated levels" | "colonnes des niveaux engendrés";
        difficulty: Tracked<u8> = 5.into(), in 1..=10,
            "how hard generated levels are: more guards and gold, more to dig, fewer ladders"
            | "difficulté des niveaux engendrés : plus de gardes et d’or, plus à creuser, moins d’échelles";
        guards: GuardChoice = GuardChoice::Any,
            "what guards follow, which players are not told: a policy, one drawn for each game, or no guards"
            | "ce que suivent les gardes, que les joueurs ignorent : une stratégie, une tirée à chaque partie, ou pas de gardes";
        turns: usize = 2000, in 1..=100_000,
            "turns after which the game is lost" | "tours après lesquels la partie est perdue";
        shows_plan as "plan": bool = false,
            "whether the plan of planner is drawn on the board" | "si le plan de planner est dessiné sur le plateau";
        dig: u8 = 2, in 1..=20, "turns that digging takes" | "tours que prend un creusement";
        open: u8 = 37, in 2..=250, "turns that a hole stays open" | "tours pendant lesquels un trou reste ouvert";
        trap: u8 = 10, in 1..=250, "turns that a guard is held in a hole" | "tours pendant lesquels un garde est pris dans un trou";
        rebirth: u8 = 2, in 1..=250, "turns until a buried guard comes back" | "tours avant qu’un garde enseveli revienne";
        carry: u8 = 25, in 1..=250, "turns that a guard keeps gold" | "tours pendant lesquels un garde garde l’or";
        rest: u8 = 3, in 0..=20,
            "guards rest every so many turns; 0: never" | "les gardes se reposent une fois en autant de tours ; 0 : jamais";
    }
}

/// Which level is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// One that is generated.
    Generated,
    /// The one at this place of [`LEVELS`].
    Named(usize),
}

const GENERATED: &str = "generated";

static LEVEL_WORDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| std::iter::once(GENERATED).chain(LEVELS.iter().map(|level| level.name)).collect());

impl ParamType for LevelChoice {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Word(&LEVEL_WORDS)
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        if text == GENERATED {
            return Some(Self::Generated);
        }
        LEVELS.iter().position(|level| level.name == text).map(Self::Named)
    }

    fn write(&self) -> String {
        match *self {
            Self::Generated => GENERATED.to_owned(),
            Self::Named(place) => LEVELS[place].name.to_owned(),
        }
    }
}

/// What guards follow, as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardChoice {
    /// A policy that is drawn for each game.
    Any,
    /// [`GuardPolicy::Chase`].
    Chase,
    /// [`GuardPolicy::Shortest`].
    Shortest,
    /// [`GuardPolicy::Random`].
    Random,
    /// [`GuardPolicy::Lazy`].
    Lazy,
    /// There are no guards.
    Absent,
}

words!(GuardChoice {
    "any" => GuardChoice::Any,
    "chase" => GuardChoice::Chase,
    "shortest" => GuardChoice::Shortest,
    "random" => GuardChoice::Random,
    "lazy" => GuardChoice::Lazy,
    "none" => GuardChoice::Absent,
});

impl From<GuardChoice> for GuardRule {
    fn from(choice: GuardChoice) -> Self {
        match choice {
            GuardChoice::Any => Self::Any,
            GuardChoice::Chase => Self::Policy(GuardPolicy::Chase),
            GuardChoice::Shortest => Self::Policy(GuardPolicy::Shortest),
            GuardChoice::Random => Self::Policy(GuardPolicy::Random),
            GuardChoice::Lazy => Self::Policy(GuardPolicy::Lazy),
            GuardChoice::Absent => Self::Absent,
        }
    }
}

impl LodeRunnerParams {
    const fn delays(&self) -> Delays {
        let Self { dig, open, trap, rebirth, carry, rest, .. } = *self;
        Delays { dig, open, trap, rebirth, carry, rest }
    }

    /// The levels that are generated.
    fn plan(&self) -> Result<LevelPlan, WorkError> {
        Ok(LevelPlan::new(*self.rows, *self.columns, *self.difficulty)?)
    }

    /// The level that every game is played on, if it is one.
    fn fixed_level(&self) -> Result<Option<LodeRunnerView>, WorkError> {
        let level = match (&self.file, self.level) {
            (None, LevelChoice::Generated) => {
                let plan = self.plan()?;
                return Ok(self.seed.map(|seed| plan.generate(self.delays(), seed)));
            }
            (Some(_), LevelChoice::Named(_)) => return Err(LodeRunnerError::TwoLevels.into()),
            (Some(path), LevelChoice::Generated) => {
                read_level(&String::from_utf8_lossy(&read_at_most(path, MAX_LEVEL_BYTES)?), self.delays())?
            }
            (None, LevelChoice::Named(place)) => read_level(LEVELS[place].text, self.delays())?,
        };
        let for_generated = [
            ("seed", self.seed.is_some()),
            ("rows", self.rows.is_given()),
            ("cols", self.columns.is_given()),
            ("difficulty", self.difficulty.is_given()),
        ];
        match for_generated.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(LodeRunnerError::ForGenerated { name }.into()),
            None => Ok(Some(level)),
        }
    }
}

fn open(spec: Spec, params: &LodeRunnerParams, store: Arc<Store>) -> Result<Box<dyn AnyGame>, WorkError> {
    let game = if let Some(level) = params.fixed_level()? {
        LodeRunner::on(level, params.guards.into(), params.turns)
    } else {
        LodeRunner::generated(params.plan()?, params.delays(), params.guards.into(), params.turns)
    };
    let game = if params.shows_plan { game.showing_plan() } else { game };
    Ok(Box::new(TypedGame::new(spec, board(game), store)))
}

/// A board with all that it offers.
pub fn board(game: LodeRunner) -> BoardDef<LodeRunner> {
    BoardDef {
        opponent: "planner",
        analyst: "planner",
        reviewer: "planner",
        players: players::all(),
        board_of: Some(|game, position| Ok(board(game.like(read_position(position, game.delays())?)))),
        editor: Some(EditorDef::of_game()),
        has_secrets: true,
        facts: Some(facts),
        bench: Some(|_, _, _| bench::measure()),
        ..BoardDef::new(game, opinion::of)
    }
}

fn facts(game: &LodeRunner, state: &LodeRunnerState) -> Facts {
    let mut facts = vec![
        ("gold_left", state.seen().moment().gold_left().into()),
        ("turns", state.turns().into()),
        ("most_turns", game.turn_limit().into()),
    ];
    // What the guards follow is nobody's to know before the end.
    if game.outcome(state).is_some() {
        let end = match state.seen().moment().fate {
            Fate::Won => "won",
            Fate::Caught => "caught",
            Fate::Buried => "buried",
            Fate::Running => "late",
        };
        facts.push(("end", end.into()));
        facts.push(("policy", format!("{:?}", state.policy()).to_lowercase().into()));
    }
    facts.into_iter().map(|(name, fact): (&str, serde_json::Value)| (name.to_owned(), fact)).collect()
}
