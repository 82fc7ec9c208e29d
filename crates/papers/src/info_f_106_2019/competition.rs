//! §4.3: the competition between AIs, played as the document plays it, and matches that tell more than two games can.
//!
//! The entrants are trained by `tournoi` and by the document's own parameters, each from as many games.

use std::sync::Arc;

use outplay_core::Text;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use crate::outplay_quoridor::{ListedMatch, ListedMatchResult, MatchSide, play_listed};
use outplay_arena::knockout::{KnockoutPlan, KnockoutReport, Tie, run_knockout};
use outplay_lab::Store;
use outplay_lab::quoridor::tournoi::{self, TournoiForm};
use outplay_lab::registry::{OtherBoards, open_game};
use outplay_report::{Block, Number, ReportCell, ReportTable, Section, english};

/// The places of the final.
const PLACES: usize = 16;

/// The competition.
pub(super) struct Competition;

/// An AI of the competition.
#[derive(Clone, Debug, Serialize)]
struct CompetitionEntry {
    label: String,
    method: String,
    seed: u64,
}

impl CompetitionEntry {
    fn side(&self) -> MatchSide {
        MatchSide::Learnt { method: self.method.clone(), seed: self.seed, eps: 0.0 }
    }
}

#[derive(Serialize)]
pub(super) struct CompetitionConfig {
    entries: Vec<CompetitionEntry>,
    places: usize,
    matches: Vec<ListedMatch>,
}

/// The course of the competition, by labels.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CompetitionResult {
    /// By place: label, games won, points.
    ranking: Vec<(String, u64, f64)>,
    rounds: Vec<Vec<CompetitionTie>>,
    champion: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct CompetitionTie {
    players: [String; 2],
    /// Pairs of games, one of them on the usual board.
    legs: usize,
    winner: String,
    settled_by: String,
}

const COURSE: &str = "course form";
const STRONGEST: &str = "strongest";

impl Experiment for Competition {
    type Config = CompetitionConfig;

    fn config(&self, scale: Scale) -> CompetitionConfig {
        let (learnt, counts, games) = match scale {
            Scale::Smoke => (60, [1, 1, 1, 1], 4),
            Scale::Desk => (50_000, [3, 2, 4, 3], 200),
            Scale::Full => (200_000, [5, 3, 8, 4], 1000),
        };
        let methods = [
            (COURSE, tournoi::method(learnt, TournoiForm::Course)),
            (STRONGEST, tournoi::method(learnt, TournoiForm::Strongest)),
            ("TD(λ)", format!("td-lambda:games={learnt}")),
            ("Q-learning", format!("q-learning:games={learnt}")),
        ];
        let entries: Vec<CompetitionEntry> = methods
            .iter()
            .zip(counts)
            .flat_map(|((name, method), count)| {
                (0..count).map(move |seed| CompetitionEntry {
                    label: format!("{name}, seed {seed}"),
                    method: method.clone(),
                    seed,
                })
            })
            .collect();
        CompetitionConfig { matches: matches(&entries, games), entries, places: PLACES }
    }

    fn run(
        &self,
        config: &CompetitionConfig,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        recorder.once(COMPETITION, || compete(config, conditions))?;
        for listed in &config.matches {
            recorder.once(&listed.label, || play_listed(listed, conditions))?;
        }
        Ok(())
    }

    fn report(
        &self,
        config: &CompetitionConfig,
        records: &Records,
        _: &Published,
    ) -> Result<Section, WorkError> {
        let result: CompetitionResult = records.get(COMPETITION)?;
        let number =
            |listed: &ListedMatch| Ok(records.get::<ListedMatchResult>(&listed.label)?.number(&listed.label));
        let numbers = config.matches.iter().map(number).collect::<Result<Vec<Number>, WorkError>>()?;
        let mut blocks = vec![
            Block::text(ABOUT),
            Block::Table(ranking(&result)),
            Block::text(format!("The final, round by round; {} wins.", result.champion)),
            Block::Table(bracket(&result)),
            Block::text(MATCHES),
        ];
        blocks.push(Block::Table(Number::table(&numbers, Text::new("games", "parties"))));
        Ok(Section { blocks, numbers })
    }
}

/// The key of the competition's record.
const COMPETITION: &str = "competition";

const ABOUT: &str = "5×5, three walls each, every AI trained by as many games. `course form` is what `outplay tournoi` writes: the \
                     document's file, played by its rule, the best of its own moves. `strongest` is `outplay tournoi --strongest`, \
                     which no program of the course can play: it sees the lengths of the paths and looks five moves ahead. `TD(λ)` \
                     and `Q-learning` have the parameters of §2.8. Preselection: every pair plays two games, one in each colour, \
                     without any random move; those with the most wins, at most sixteen, go on. Final: who wins both games goes on; a tie is \
                     replayed on boards with walls already placed.";

const MATCHES: &str = "Two games say little, and most of all which side the board is won for. So here are matches of the first \
                       `course form` AI: pairs of games from the same two random moves with colours swapped, then both play at \
                       their best; points in %.";

/// The first AI in the course's form against the others.
fn matches(entries: &[CompetitionEntry], games: u64) -> Vec<ListedMatch> {
    let ours = &entries[0];
    let listed = |label: &str, other: MatchSide| ListedMatch {
        label: format!("{}, against {label}", ours.label),
        game: tournoi::BOARD,
        sides: [ours.side(), other],
        games,
        random_plies: 2,
    };
    let mut all = vec![
        listed("`random`", MatchSide::player("random")),
        listed("`greedy:wall=200`", MatchSide::player("greedy:wall=200")),
    ];
    let is_other = |entry: &&CompetitionEntry| !entry.label.starts_with(COURSE);
    all.extend(entries.iter().filter(is_other).map(|entry| listed(&entry.label, entry.side())));
    all
}

fn compete(config: &CompetitionConfig, conditions: &Conditions<'_>) -> Result<CompetitionResult, WorkError> {
    let store = Arc::new(Store::at(conditions.store.root()));
    let any_game = open_game(tournoi::BOARD, &store)?;
    let players = config
        .entries
        .iter()
        .map(|entry| entry.side().ready(&*any_game, conditions))
        .collect::<Result<Vec<String>, WorkError>>()?;
    let seed = conditions.seed_of(COMPETITION);
    let plan = KnockoutPlan { places: config.places, seed, threads: conditions.threads };
    let replays = OtherBoards { game: &*any_game, store: &store, seed };
    let entrants = any_game.entrants(&players, conditions.watch)?;
    let report = run_knockout(&*entrants, &replays, &plan, None, &mut |_| {}, conditions.watch)?;
    // The names of players have paths, which are another machine's elsewhere.
    let label = |name: &String| {
        let place = entrants.names().iter().position(|player| player == name);
        place.map_or_else(String::new, |place| config.entries[place].label.clone())
    };
    Ok(labelled(&report, label))
}

fn labelled(report: &KnockoutReport, label: impl Fn(&String) -> String) -> CompetitionResult {
    let tie = |tie: &Tie| CompetitionTie {
        players: tie.players.each_ref().map(&label),
        legs: tie.legs.len(),
        winner: label(&tie.winner),
        settled_by: tie.settled_by.to_owned(),
    };
    CompetitionResult {
        ranking: report
            .ranking
            .iter()
            .map(|ranked| (label(&ranked.name), ranked.wins, ranked.points))
            .collect(),
        rounds: report.rounds.iter().map(|round| round.iter().map(tie).collect()).collect(),
        champion: label(&report.champion),
    }
}

fn ranking(result: &CompetitionResult) -> ReportTable {
    let row = |(place, (label, wins, points)): (usize, &(String, u64, f64))| {
        let cells = [(place + 1).to_string(), label.clone(), wins.to_string(), points.to_string()];
        cells.map(ReportCell::from).to_vec()
    };
    let rows = result.ranking.iter().enumerate().map(row).collect();
    ReportTable { left: 2, head: english(["place", "AI", "games won", "points"]), rows }
}

fn bracket(result: &CompetitionResult) -> ReportTable {
    let rows = result.rounds.iter().enumerate().flat_map(|(round, ties)| {
        ties.iter().map(move |tie| {
            let [better, other] = &tie.players;
            let how = match tie.settled_by.as_str() {
                "games" => String::new(),
                by => format!(" (by {by})"),
            };
            let replays = tie.legs - 1;
            let cells =
                [(round + 1).to_string(), better.clone(), other.clone(), format!("{}{how}", tie.winner)];
            let mut row: Vec<ReportCell> = cells.into_iter().map(ReportCell::from).collect();
            row.push(ReportCell::from(replays.to_string()));
            row
        })
    });
    let head = english(["round", "better placed", "other", "goes on", "replays"]);
    ReportTable { left: 4, head, rows: rows.collect() }
}
