//! §6: the two improvements that the document names and does not try, on the boards of Tables 3 and 4.

use outplay_games::minesweeper::subgrids::FlagPolicy;
use outplay_runtime::WorkError;
use serde::Serialize;

use super::boards::{PublishedBoards, TABLE_3, TABLE_4, name_of};
use super::ladder::Sizes;
use super::numbered_network::{NumberedNetwork, train_all};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Interval;
use outplay_lab::minesweeper::subgrids::game_of;
use outplay_lab::minesweeper::subgrids::scores::{Scores, network_scores};
use outplay_report::{Block, Number, ReportTable, Section, english};

/// The document's method with its own improvements.
pub(super) struct Improvements;

#[derive(Serialize)]
pub(super) struct Config {
    lessons: Vec<(String, String)>,
    games: u64,
    #[serde(skip)]
    networks: Vec<NumberedNetwork>,
}

/// The networks: whether density varies, whether masks are of games.
const NETWORKS: [(&str, bool, bool); 4] = [
    ("document", false, false),
    ("varied density", true, false),
    ("masks of games", false, true),
    ("both", true, true),
];

/// Both tables with their boards.
const TABLES: [(&str, &[outplay_games::minesweeper::subgrids::SourceBoard]); 2] =
    [("table-3", &TABLE_3), ("table-4", &TABLE_4)];

fn key(network: &str, board: &str) -> String {
    format!("{network}: {board}")
}

impl Experiment for Improvements {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let sizes = Sizes::of(scale);
        let network =
            |&(_, varied, games): &(&str, bool, bool)| NumberedNetwork::first(sizes.improved(varied, games));
        let networks: Vec<NumberedNetwork> = NETWORKS.iter().map(network).collect();
        let lesson = |((name, ..), network): (&(&str, bool, bool), &NumberedNetwork)| {
            ((*name).to_owned(), network.lesson.to_string())
        };
        let lessons = NETWORKS.iter().zip(&networks).map(lesson).collect();
        Config { lessons, games: sizes.board_games, networks }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        train_all(&config.networks.iter().collect::<Vec<_>>(), conditions)?;
        for ((name, ..), network) in NETWORKS.iter().zip(&config.networks) {
            let network = network.load(conditions)?;
            for &board in TABLES.iter().flat_map(|(_, boards)| *boards) {
                recorder.once(&key(name, &name_of(board)), || {
                    let game = game_of(board.rows, board.cols, board.mines)?;
                    let (seed, games) = (conditions.seed_of(&name_of(board)), config.games);
                    conditions.on_threads(|| {
                        network_scores(&game, &network, FlagPolicy::BEST, games, seed, conditions.watch)
                    })
                })?;
            }
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let text = "§6. The document's last network, and the same lesson with sub-grids of boards of 4 to 24 mines on 100 cells \
                    (every number equally likely), with masks as games leave them, and with both. The masks are those \
                    of games in which a player who never errs unmasks random empty cells beside what is unmasked; there \
                    the same sub-grid may occur twice. All play with playful level 1.15 and flag threshold 0.96, which the document chose for its own \
                    network.";
        let learnt = format!(
            "Each learnt {} samples, six times over; {} games a board, the same for all. Games won, in %, with 95% intervals; \
             mean scores are in the records.",
            config.networks[0].lesson.samples(),
            config.games
        );
        let (mut blocks, mut numbers) = (vec![Block::text(text), Block::text(learnt)], Vec::new());
        for (table, boards) in TABLES {
            let stated: PublishedBoards = published.needed(table)?;
            let mut rows = Vec::new();
            for &board in boards {
                let mut row =
                    vec![name_of(board).into(), format!("{:.1}", stated.of(board)?.win_rate).into()];
                for (name, ..) in NETWORKS {
                    let scores: Scores = records.get(&key(name, &name_of(board)))?;
                    let Interval { low, high } = scores.won().interval();
                    row.push(
                        format!(
                            "{:.1} ({:.1} – {:.1})",
                            100.0 * scores.won().mean(),
                            100.0 * low,
                            100.0 * high
                        )
                        .into(),
                    );
                    numbers
                        .push(Number::share(format!("{table}, {}: {name}", name_of(board)), &scores.won()));
                }
                rows.push(row);
            }
            let head =
                ["board", "published", "document's lesson", "varied density", "masks of games", "both"];
            blocks.push(Block::text(stated.source));
            blocks.push(Block::Table(ReportTable { left: 1, head: english(head), rows }));
        }
        Ok(Section { blocks, numbers })
    }
}
