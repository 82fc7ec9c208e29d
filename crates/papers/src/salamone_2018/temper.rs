//! §4.8: playful level × flag threshold, and the best AI beside the others (Figures 29, 30, 31).

use outplay_core::Text;
use outplay_games::minesweeper::subgrids::FlagPolicy;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use super::ladder::Sizes;
use super::numbered_network::{NumberedNetwork, train_all};
use super::report::{PublishedStep, score_boxes, score_numbers, score_row};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_lab::minesweeper::subgrids::game_of;
use outplay_lab::minesweeper::subgrids::scores::{Scores, network_scores, random_scores};
use outplay_report::{Block, HeatMap, Number, Section};

/// The heat maps and the last comparison.
pub(super) struct Tempers;

#[derive(Serialize)]
pub(super) struct Config {
    lesson: String,
    lesson_without_flags: String,
    /// Figure 29, the whole range.
    whole: HeatMapGrid,
    /// Figure 30, around the best.
    near: HeatMapGrid,
    heat_games: u64,
    games: u64,
    #[serde(skip)]
    network: NumberedNetwork,
    #[serde(skip)]
    network_without_flags: NumberedNetwork,
}

/// A heat map's levels and thresholds, in hundredths.
#[derive(Serialize)]
struct HeatMapGrid {
    levels: Vec<u32>,
    thresholds: Vec<u32>,
}

impl HeatMapGrid {
    fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        self.levels.iter().flat_map(|&level| self.thresholds.iter().map(move |&threshold| (level, threshold)))
    }
}

/// Games won on a square.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SquareResult {
    wins: u64,
    games: u64,
}

const HUNDREDTH: f32 = 0.01;

fn temper((level, threshold): (u32, u32)) -> FlagPolicy {
    FlagPolicy { playful: level as f32 * HUNDREDTH, threshold: threshold as f32 * HUNDREDTH }
}

fn key((level, threshold): (u32, u32)) -> String {
    format!("playful {level}, threshold {threshold}")
}

fn text(hundredths: u32) -> String {
    format!("{:.2}", f64::from(hundredths) / 100.0)
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
                HeatMapGrid { levels: vec![60, 100, 140], thresholds: vec![0, 50, 100] },
                HeatMapGrid { levels: vec![115], thresholds: vec![96] },
            )
        } else {
            (
                HeatMapGrid { levels: every(20, 0, 200), thresholds: every(10, 0, 100) },
                HeatMapGrid { levels: every(5, 100, 130), thresholds: every(2, 90, 100) },
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
        let squares: Vec<_> = config.whole.all().chain(config.near.all()).collect();
        let seed = conditions.seed_of("heat map");
        for (&square, done) in squares.iter().zip(0..) {
            recorder.once(&key(square), || {
                conditions.show("heat map", done, squares.len() as u64, "squares");
                let play = || {
                    network_scores(&game, &network, temper(square), config.heat_games, seed, conditions.watch)
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
        let blocks = vec![
            Block::text(remark(&stated_of[2], config)),
            Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
            heat_map("figure-29", "over their whole range", &config.whole, records)?,
            heat_map("figure-30", "around the document's best", &config.near, records)?,
            Block::text(best),
            score_boxes("figure-31", boxes),
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

fn heat_map(name: &str, where_: &str, squares: &HeatMapGrid, records: &Records) -> Result<Block, WorkError> {
    let mut values = Vec::new();
    for &level in &squares.levels {
        let row = squares.thresholds.iter().map(|&threshold| {
            let won: SquareResult = records.get(&key((level, threshold)))?;
            Ok(Some(100.0 * won.wins as f64 / won.games as f64))
        });
        values.push(row.collect::<Result<Vec<_>, WorkError>>()?);
    }
    let place = |list: &[u32], wanted: u32| list.iter().position(|&hundredths| hundredths == wanted);
    let map = HeatMap {
        caption: format!("{name}: % of games won by playful level and flag threshold, {where_}"),
        x_axis: "flag threshold".to_owned(),
        y_axis: "playful level".to_owned(),
        x: squares.thresholds.iter().copied().map(text).collect(),
        y: squares.levels.iter().copied().map(text).collect(),
        values,
        span: (0.0, 100.0),
        digits: 0,
        ghost: place(&squares.levels, 115).zip(place(&squares.thresholds, 96)),
    };
    Ok(Block::Figure(map.figure(name)))
}

/// Our best square, in words.
fn best(config: &Config, records: &Records) -> Result<String, WorkError> {
    let mut best: Option<((u32, u32), SquareResult)> = None;
    for square in config.whole.all().chain(config.near.all()) {
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
