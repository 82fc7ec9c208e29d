//! §4.8: playful level × flag threshold, and the best AI beside the others (Figures 29, 30, 31).

use std::collections::HashMap;

use outplay_core::{Language, Text};
use outplay_games::minesweeper::subgrids::FlagPolicy;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::ladder::Sizes;
use super::numbered_network::{NumberedNetwork, train_all};
use super::report::{PublishedStep, score_numbers, score_row};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_lab::minesweeper::subgrids::charts::{self, PolicyGrid};
use outplay_lab::minesweeper::subgrids::game_of;
use outplay_lab::minesweeper::subgrids::scores::{Scores, network_scores, random_scores};
use outplay_report::{Block, Number, Section};

/// The heat maps and the last comparison.
pub(super) struct Tempers;

#[derive(Serialize)]
pub(super) struct Config {
    lesson: String,
    lesson_without_flags: String,
    /// Figure 29, the whole range.
    whole: PolicyGrid,
    /// Figure 30, around the best.
    near: PolicyGrid,
    heat_games: u64,
    games: u64,
    #[serde(skip)]
    network: NumberedNetwork,
    #[serde(skip)]
    network_without_flags: NumberedNetwork,
}

/// Games won on a square.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SquareResult {
    wins: u64,
    games: u64,
}

fn key((level, threshold): (u32, u32)) -> String {
    format!("playful {level}, threshold {threshold}")
}

fn text(hundredths: u32) -> String {
    format!("{:.2}", f64::from(hundredths) / 100.0)
}

/// What the document quotes of others: % of games won.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PublishedOthers {
    source: String,
    yurchenko_tortay: f64,
    pedersen: f64,
}

/// The keys of the three AIs of Figure 31.
const AIS: [&str; 3] = ["random AI", "AI without flags", "AI with flags"];

impl Experiment for Tempers {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let sizes = Sizes::of(scale);
        let every = |step: usize, from: u32, to: u32| (from..=to).step_by(step).collect::<Vec<u32>>();
        let (whole, near) = if scale == Scale::Smoke {
            (
                PolicyGrid { levels: vec![60, 100, 140], thresholds: vec![0, 50, 100] },
                PolicyGrid { levels: vec![115], thresholds: vec![96] },
            )
        } else {
            (
                PolicyGrid { levels: every(20, 0, 200), thresholds: every(10, 0, 100) },
                PolicyGrid { levels: every(5, 100, 130), thresholds: every(2, 90, 100) },
            )
        };
        let (lesson, lesson_without_flags) = (sizes.with_flags(), sizes.without_duplicates());
        Config {
            lesson: lesson.to_string(),
            lesson_without_flags: lesson_without_flags.to_string(),
            whole,
            near,
            heat_games: sizes.heat_games,
            games: sizes.games,
            network: NumberedNetwork::first(lesson),
            network_without_flags: NumberedNetwork::first(lesson_without_flags),
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        train_all(&[&config.network, &config.network_without_flags], conditions)?;
        let network = config.network.load(conditions)?;
        let game = game_of(10, 10, 10)?;
        let squares: Vec<_> = config.whole.pairs().chain(config.near.pairs()).collect();
        let seed = conditions.seed_of("heat map");
        for (&square, done) in squares.iter().zip(0..) {
            recorder.once(&key(square), || {
                conditions.show("heat map", done, squares.len() as u64, "squares");
                let play = || {
                    network_scores(
                        &game,
                        &network,
                        FlagPolicy::of_hundredths(square),
                        config.heat_games,
                        seed,
                        conditions.watch,
                    )
                };
                let scores = conditions.on_threads(play)?;
                Ok(SquareResult { wins: scores.wins(), games: scores.games() })
            })?;
        }
        let (seed, games, watch) = (conditions.seed_of("games"), config.games, conditions.watch);
        let on_threads = |play: &(dyn Fn() -> Result<Scores, WorkError> + Sync)| conditions.on_threads(play);
        recorder.once(AIS[0], || on_threads(&|| random_scores(&game, games, seed, watch)))?;
        let plain = config.network_without_flags.load(conditions)?;
        let without = || network_scores(&game, &plain, FlagPolicy::WITHOUT_FLAGS, games, seed, watch);
        recorder.once(AIS[1], || on_threads(&without))?;
        let with = || network_scores(&game, &network, FlagPolicy::BEST, games, seed, watch);
        recorder.once(AIS[2], || on_threads(&with))?;
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let names = ["random", "duplicates", "temper"].into_iter();
        let stated_of: Vec<PublishedStep> =
            names.map(|name| published.needed(name)).collect::<Result<_, _>>()?;
        let scores: Vec<Scores> = AIS.iter().map(|key| records.get(key)).collect::<Result<_, _>>()?;
        let numbers = score_numbers(AIS[2], &[&scores[2]], Some(&stated_of[2]));
        let mut boxes: Vec<_> = Vec::new();
        for ((name, scores), stated) in AIS.into_iter().zip(&scores).zip(&stated_of) {
            boxes.push(score_row(name, scores, stated));
        }
        let best = best(config, records)?;
        let PublishedOthers { source, yurchenko_tortay, pedersen } = published.needed("others")?;
        let others = format!(
            "The document sets its 86.6 % beside what others won \"in similar conditions\" ({source}): a little more than \
             {yurchenko_tortay} % (Yurchenko & Tortay 2016) and {pedersen} % (Pedersen 2004). We did not make these again."
        );
        let blocks = vec![
            Block::text(remark(&stated_of[2], config)),
            Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
            heat_map("figure-29", "over their whole range", &config.whole, records)?,
            heat_map("figure-30", "around the document's best", &config.near, records)?,
            Block::text(best),
            Block::text(others),
            Block::Figure(charts::score_boxes("figure-31", scores[0].most(), boxes, Language::English)),
        ];
        Ok(Section { blocks, numbers })
    }
}

fn remark(stated: &PublishedStep, config: &Config) -> String {
    format!(
        "{}. The numbers are those of the document's best temper, playful level 1.15 and flag threshold 0.96, in games \
         of their own; the squares of the heat maps are {} games each, all from the same first clicks. The document's \
         86.6 % is the best of its squares, and so a little more than that temper is worth.",
        stated.source, config.heat_games
    )
}

fn heat_map(name: &str, where_: &str, squares: &PolicyGrid, records: &Records) -> Result<Block, WorkError> {
    let mut won = HashMap::new();
    for square in squares.pairs() {
        let SquareResult { wins, games } = records.get(&key(square))?;
        won.insert(square, 100.0 * wins as f64 / games as f64);
    }
    let won = |square| won.get(&square).copied();
    Ok(Block::Figure(squares.figure(name, where_, won, Language::English)))
}

/// Our best square, in words.
fn best(config: &Config, records: &Records) -> Result<String, WorkError> {
    let mut best: Option<((u32, u32), SquareResult)> = None;
    for square in config.whole.pairs().chain(config.near.pairs()) {
        let won: SquareResult = records.get(&key(square))?;
        if best.is_none_or(|(_, before)| won.wins > before.wins) {
            best = Some((square, won));
        }
    }
    let ((level, threshold), won) = best.expect("a configuration has squares");
    Ok(format!(
        "Our best square is playful level {}, flag threshold {}: {:.1} % of {} games won.",
        text(level),
        text(threshold),
        100.0 * won.wins as f64 / won.games as f64,
        won.games
    ))
}
