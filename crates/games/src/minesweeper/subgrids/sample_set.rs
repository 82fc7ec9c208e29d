//! Training sets and test sets: which sub-grids, masked how, in what order (§3.2.3, §4.1, §4.2, §4.6).
//!
//! Invariant: a sample is determined by the configuration and its index. The unmasked sub-grids are stored, 16 bytes
//! each; the masked ones, of which there are more, are made on demand. Only samples from games, which have no unmasked
//! sub-grid that others share, are stored themselves.

use std::collections::HashSet;

use outplay_core::{Permutation, Rng, errors};
use rayon::prelude::*;

use super::game_source::GameSource;
use super::mask::{MaskCount, Masking};
use super::sampler::{Centre, MineRange, SourceBoard, SubgridSampler};
use super::subgrid::{CELLS, Subgrid};

errors! {
    /// Why a set cannot be made.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BadSet {
        SourceBoard { rows: usize, cols: usize, mines: usize } =
            "no sub-grids can be cut out of {rows}×{cols} cells with {mines} mines: expected at least 6×6 cells and from \
             1 mine to one fewer than cells"
            | "aucune sous-grille ne peut être découpée dans {rows}×{cols} cases à {mines} mines : attendu au moins 6×6 cases \
               et de 1 mine à une de moins que les cases",
        MineRange { fewest: usize, most: usize } =
            "from {fewest} to {most} mines is no range: expected no more at the beginning than at the end"
            | "de {fewest} à {most} mines n’est pas un intervalle : attendu au début pas plus qu’à la fin",
        FullBoard { rows: usize, cols: usize, mines: usize } =
            "games on {rows}×{cols} cells with {mines} mines are won by their first cell: expected at least two empty cells with \
             masking=games"
            | "les parties sur {rows}×{cols} cases à {mines} mines sont gagnées par leur première case : attendu au moins deux \
               cases vides avec masking=games",
        SameTwice =
            "sub-grids from games may occur twice: expected duplicates=yes with masking=games"
            | "les sous-grilles de parties peuvent venir deux fois : attendu duplicates=yes avec masking=games",
        TooFew { found: usize, wanted: usize } =
            "only {found} different sub-grids were found: expected {wanted}; take fewer, or let them repeat"
            | "seules {found} sous-grilles différentes ont été trouvées : attendu {wanted} ; prenez-en moins, ou laissez-les se répéter",
    }
}

/// The order of the samples of a set (§4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleOrder {
    /// Those with an empty centre first.
    EmptyFirst,
    /// Those with a mined centre first.
    MinedFirst,
    /// Alternating runs of this many with an empty centre and this many with a mined one; the remainder comes at the
    /// end.
    Alternate(u64),
    /// Random order.
    Random,
}

impl SampleOrder {
    /// The document's orders with its names, in its order.
    pub const OF_DOCUMENT: [(Self, &'static str); 7] = [
        (Self::EmptyFirst, "nobm-bm"),
        (Self::MinedFirst, "bm-nobm"),
        (Self::Alternate(1), "alternate-1"),
        (Self::Alternate(5), "alternate-5"),
        (Self::Alternate(10), "alternate-10"),
        (Self::Alternate(15), "alternate-15"),
        (Self::Random, "random"),
    ];

    /// The centre of the sample at this place, and its index among the samples with that centre, given the number of
    /// each.
    fn locate(self, place: u64, empty: u64, mined: u64) -> (Centre, u64) {
        let one_after_the_other = |place: u64, [first, second]: [Centre; 2], of_first: u64| {
            if place < of_first { (first, place) } else { (second, place - of_first) }
        };
        match self {
            Self::EmptyFirst | Self::Random => {
                one_after_the_other(place, [Centre::Empty, Centre::Mined], empty)
            }
            Self::MinedFirst => one_after_the_other(place, [Centre::Mined, Centre::Empty], mined),
            Self::Alternate(run) => {
                let whole = empty.min(mined) / run * run;
                if place < 2 * whole {
                    let (pair, within) = (place / (2 * run), place % (2 * run));
                    return (Centre::BOTH[(within / run) as usize], pair * run + within % run);
                }
                let (centre, number) = one_after_the_other(place - 2 * whole, Centre::BOTH, empty - whole);
                (centre, whole + number)
            }
        }
    }
}

/// Where samples come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleSource {
    /// Drawn sub-grids, each masked several times at random: the document's.
    Drawn(MaskCount),
    /// Games, of each of which several sub-grids are cut out as they stand.
    Games,
}

impl SampleSource {
    /// Drawn, and the number of masks counts all masked cells.
    pub const TOTAL: Self = Self::Drawn(MaskCount::Total);
    /// Drawn, and the number of masks counts those besides the centre and the mines.
    pub const FURTHER: Self = Self::Drawn(MaskCount::Further);
}

/// The configuration of a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleSetConfig {
    /// The boards that the sub-grids come from.
    pub board: SourceBoard,
    /// The fewest and most mines of those boards; the board's own number if none.
    pub mines: Option<MineRange>,
    /// The number of unmasked sub-grids, or of games.
    pub grids: usize,
    /// The number of masked copies of each, or of sub-grids from each game.
    pub masks: usize,
    /// The share of mined centres.
    pub ratio: f64,
    /// Whether the same unmasked sub-grid may occur twice.
    pub duplicates: bool,
    /// Where they come from.
    pub source: SampleSource,
    /// Whether mines may be flagged (§4.7).
    pub has_flags: bool,
    /// How the samples are ordered.
    pub order: SampleOrder,
    /// The seed of everything.
    pub seed: u64,
}

/// Random streams under the seed. Candidates of one kind are numbered from 0 for training, and from [`FIRST_OF_TEST`]
/// for tests, so that a test set does not depend on the training set.
const FIRST_OF_TEST: u64 = 1 << 40;
const STREAM_OF_MASKS: u64 = 2;
const STREAM_OF_ORDER: u64 = 3;

/// How many candidates are drawn at a time.
const BLOCK: u64 = 1 << 16;
/// After this many blocks without a new sub-grid the search is given up.
const BARREN_BLOCKS: u32 = 16;

/// A set of samples.
#[derive(Clone, Debug)]
pub struct SampleSet {
    config: SampleSetConfig,
    /// By centre: the sub-grids without a mask, packed; those of games with their masks.
    grids: [Vec<u128>; 2],
    mask_seed: u64,
    order: Permutation,
}

impl SampleSet {
    /// The training set of this configuration.
    pub fn draw(config: SampleSetConfig) -> Result<Self, BadSet> {
        Self::draw_from(config, 0, [&[], &[]])
    }

    /// A test set: sub-grids that were drawn apart from any training set. Where sub-grids may not repeat, it has
    /// none of `training` either.
    pub fn draw_test(config: SampleSetConfig, training: &Self) -> Result<Self, BadSet> {
        Self::draw_from(config, FIRST_OF_TEST, [&training.grids[0], &training.grids[1]])
    }

    fn draw_from(config: SampleSetConfig, first: u64, known: [&[u128]; 2]) -> Result<Self, BadSet> {
        let sampler = SubgridSampler::new(config.board, config.mines)?;
        let games = GameSource::new(config.board, config.mines, config.has_flags);
        if config.source == SampleSource::Games {
            games.check()?;
            if !config.duplicates {
                return Err(BadSet::SameTwice);
            }
        }
        let mined = (config.ratio * config.grids as f64).round() as usize;
        let draw = |centre: Centre, count: usize| {
            let seed = Rng::stream(config.seed, centre as u64).seed();
            let candidate = |number: u64| sampler.sample(centre, &mut Rng::stream(seed, number)).pack();
            if config.source == SampleSource::Games {
                let play = |number| games.samples(centre, config.masks, &mut Rng::stream(seed, number));
                Ok((first..first + count as u64).into_par_iter().flat_map_iter(play).collect())
            } else if config.duplicates {
                Ok((first..first + count as u64).into_par_iter().map(&candidate).collect())
            } else {
                different(count, first, known[centre as usize], &candidate)
            }
        };
        let mask_seed = Rng::stream(config.seed, STREAM_OF_MASKS).seed() ^ first;
        let order = Permutation::new(
            (config.grids * config.masks) as u64,
            Rng::stream(config.seed, STREAM_OF_ORDER).seed(),
        );
        Ok(Self {
            config,
            grids: [draw(Centre::Empty, config.grids - mined)?, draw(Centre::Mined, mined)?],
            mask_seed,
            order,
        })
    }

    /// The configuration.
    pub const fn config(&self) -> &SampleSetConfig {
        &self.config
    }

    /// How many samples there are.
    pub const fn len(&self) -> u64 {
        (self.config.grids * self.config.masks) as u64
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The unmasked sub-grids with this centre; of games, the masked ones.
    pub fn bare(&self, centre: Centre) -> impl ExactSizeIterator<Item = Subgrid> + '_ {
        self.grids[centre as usize].iter().map(|&packed| Subgrid::unpack(packed))
    }

    /// The number of distinct ones among [`bare`](Self::bare).
    pub fn distinct(&self, centre: Centre) -> usize {
        self.grids[centre as usize].iter().collect::<HashSet<_>>().len()
    }

    /// The sample at an index of the set's order, and its centre.
    #[inline]
    pub fn sample(&self, place: u64) -> (Subgrid, Centre) {
        let masks = self.config.masks as u64;
        let place = if self.config.order == SampleOrder::Random { self.order.at(place) } else { place };
        let SampleSource::Drawn(count) = self.config.source else {
            let [empty, mined] = [0, 1].map(|centre: usize| self.grids[centre].len() as u64);
            let (centre, number) = self.config.order.locate(place, empty, mined);
            return (Subgrid::unpack(self.grids[centre as usize][number as usize]), centre);
        };
        let [empty, mined] = [0, 1].map(|centre: usize| self.grids[centre].len() as u64 * masks);
        let (centre, number) = self.config.order.locate(place, empty, mined);
        let bare = Subgrid::unpack(self.grids[centre as usize][(number / masks) as usize]);
        let mut rng = Rng::stream(self.mask_seed, 2 * number + centre as u64);
        (Masking { count, has_flags: self.config.has_flags }.mask(&bare, &mut rng), centre)
    }

    /// Writes samples for a network, as many as there are targets: the inputs of the sample at `place_of(i)`, and 1
    /// if its centre is mined.
    pub fn fill(&self, place_of: impl Fn(u64) -> u64 + Sync, inputs: &mut [f32], targets: &mut [f32]) {
        const SHARE: usize = 256;
        let fill = |(share, (inputs, targets)): (usize, (&mut [f32], &mut [f32]))| {
            let first = (share * SHARE) as u64;
            for ((inputs, target), i) in inputs.chunks_exact_mut(CELLS).zip(targets).zip(first..) {
                let (subgrid, centre) = self.sample(place_of(i));
                subgrid.write_inputs(inputs);
                *target = f32::from(u8::from(centre == Centre::Mined));
            }
        };
        if targets.len() <= SHARE {
            return fill((0, (inputs, targets)));
        }
        let shares = inputs.par_chunks_mut(SHARE * CELLS).zip(targets.par_chunks_mut(SHARE));
        shares.enumerate().for_each(fill);
    }
}

/// The first `count` candidates that differ from each other and from the known ones (§4.6).
fn different(
    count: usize,
    first: u64,
    known: &[u128],
    candidate: &(impl Fn(u64) -> u128 + Sync),
) -> Result<Vec<u128>, BadSet> {
    let mut seen: HashSet<u128> = known.iter().copied().collect();
    let mut kept = Vec::with_capacity(count);
    let (mut next, mut barren) = (first, 0);
    while kept.len() < count {
        let block: Vec<u128> = (next..next + BLOCK).into_par_iter().map(candidate).collect();
        let before = kept.len();
        kept.extend(block.into_iter().filter(|&grid| seen.insert(grid)).take(count - before));
        next += BLOCK;
        barren = if kept.len() == before { barren + 1 } else { 0 };
        if barren == BARREN_BLOCKS {
            return Err(BadSet::TooFew { found: kept.len(), wanted: count });
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::super::subgrid::{CENTRE, code};
    use super::*;

    fn config() -> SampleSetConfig {
        SampleSetConfig {
            board: SourceBoard::OF_DOCUMENT,
            grids: 200,
            masks: 10,
            ratio: 0.5,
            duplicates: true,
            mines: None,
            source: SampleSource::Drawn(MaskCount::Total),
            has_flags: false,
            order: SampleOrder::EmptyFirst,
            seed: 7,
        }
    }

    fn samples(set: &SampleSet) -> Vec<(Subgrid, Centre)> {
        (0..set.len()).map(|place| set.sample(place)).collect()
    }

    #[test]
    fn every_order_has_every_sample_once() {
        for ratio in [0.5, 0.3, 0.77] {
            let sorted = |order: SampleOrder| {
                let set = SampleSet::draw(SampleSetConfig { ratio, order, ..config() }).unwrap();
                let mut samples: Vec<(u128, bool)> = samples(&set)
                    .into_iter()
                    .map(|(subgrid, centre)| (subgrid.pack(), centre == Centre::Mined))
                    .collect();
                samples.sort_unstable();
                samples
            };
            let expected = sorted(SampleOrder::EmptyFirst);
            assert_eq!(expected.len(), 2000);
            let mined = expected.iter().filter(|(_, mined)| *mined).count();
            assert_eq!(mined as f64, 2000.0 * ratio);
            for (order, name) in SampleOrder::OF_DOCUMENT {
                assert_eq!(sorted(order), expected, "{name}");
            }
        }
    }

    #[test]
    fn orders_are_the_documents() {
        let kinds = |order| -> String {
            let set = SampleSet::draw(SampleSetConfig { grids: 4, masks: 5, order, ..config() }).unwrap();
            samples(&set).iter().map(|(_, centre)| if *centre == Centre::Mined { 'b' } else { 'e' }).collect()
        };
        assert_eq!(kinds(SampleOrder::EmptyFirst), "eeeeeeeeeebbbbbbbbbb");
        assert_eq!(kinds(SampleOrder::MinedFirst), "bbbbbbbbbbeeeeeeeeee");
        assert_eq!(kinds(SampleOrder::Alternate(1)), "ebebebebebebebebebeb");
        assert_eq!(kinds(SampleOrder::Alternate(5)), "eeeeebbbbbeeeeebbbbb");
        assert_eq!(kinds(SampleOrder::Alternate(4)), "eeeebbbbeeeebbbbeebb");
        let random = kinds(SampleOrder::Random);
        assert!(random.contains("eb") && random.contains("be") && random != kinds(SampleOrder::Alternate(1)));
    }

    /// The document: 47 % of 500 000 sub-grids with an empty centre, and 66 % of those with a mined one, were
    /// duplicates (§4.6).
    #[test]
    fn there_are_as_many_duplicates_as_in_the_document() {
        let set = SampleSet::draw(SampleSetConfig { grids: 1_000_000, ..config() }).unwrap();
        let share = |centre| 1.0 - set.distinct(centre) as f64 / 500_000.0;
        let shares = Centre::BOTH.map(share);
        assert!((shares[0] - 0.47).abs() < 0.005 && (shares[1] - 0.66).abs() < 0.005, "{shares:?}");
    }

    #[test]
    fn sets_without_duplicates_have_none_and_tests_are_apart() {
        let config = SampleSetConfig { grids: 20_000, duplicates: false, ..config() };
        let set = SampleSet::draw(config).unwrap();
        let test = SampleSet::draw_test(SampleSetConfig { grids: 2000, ..config }, &set).unwrap();
        for centre in Centre::BOTH {
            assert_eq!(set.distinct(centre), 10_000);
            let learnt: HashSet<u128> = set.bare(centre).map(|bare| bare.pack()).collect();
            assert!(test.bare(centre).all(|bare| !learnt.contains(&bare.pack())));
            assert!(set.bare(centre).all(|bare| (bare.0[CENTRE] == code::MINE) == (centre == Centre::Mined)));
        }
    }

    #[test]
    fn a_test_does_not_depend_on_what_was_learnt() {
        let test = |grids| {
            let training = SampleSet::draw(SampleSetConfig { grids, ..config() }).unwrap();
            samples(&SampleSet::draw_test(config(), &training).unwrap())
        };
        assert_eq!(test(10), test(1000));
        assert_ne!(test(10), samples(&SampleSet::draw(config()).unwrap()));
    }

    #[test]
    fn samples_of_games_have_both_centres_and_their_masks() {
        let config = SampleSetConfig { source: SampleSource::Games, has_flags: true, ..config() };
        let set = SampleSet::draw(config).unwrap();
        let all = samples(&set);
        assert_eq!(all.len(), 2000);
        assert_eq!(all.iter().filter(|(_, centre)| *centre == Centre::Mined).count(), 1000);
        assert!(all.iter().all(|(subgrid, _)| subgrid.0[CENTRE] == code::MASKED));
        assert!(all.iter().any(|(subgrid, _)| subgrid.0.contains(&code::FLAGGED)));
        let twice = SampleSet::draw(SampleSetConfig { duplicates: false, ..config });
        assert_eq!(twice.unwrap_err(), BadSet::SameTwice);
        let (board, mines) = (config.board, Some(MineRange { fewest: 1, most: 99 }));
        let full = SampleSet::draw(SampleSetConfig { mines, ..config });
        assert_eq!(full.unwrap_err(), BadSet::FullBoard { rows: board.rows, cols: board.cols, mines: 99 });
    }

    #[test]
    fn a_range_of_mines_has_more_of_what_many_mines_show() {
        let sevens = |mines| {
            let set = SampleSet::draw(SampleSetConfig { mines, grids: 20_000, ..config() }).unwrap();
            Centre::BOTH
                .into_iter()
                .flat_map(|centre| set.bare(centre).collect::<Vec<_>>())
                .filter(|s| s.0.contains(&7))
                .count()
        };
        let varied = Some(MineRange { fewest: 4, most: 24 });
        assert!(sevens(None) < sevens(varied), "{} {}", sevens(None), sevens(varied));
        let refusal =
            SampleSet::draw(SampleSetConfig { mines: Some(MineRange { fewest: 9, most: 8 }), ..config() });
        assert_eq!(refusal.unwrap_err(), BadSet::MineRange { fewest: 9, most: 8 });
    }

    #[test]
    fn too_few_different_ones_are_refused() {
        let board = SourceBoard { rows: 6, cols: 6, mines: 1 };
        let refusal = SampleSet::draw(SampleSetConfig { board, duplicates: false, grids: 2000, ..config() })
            .unwrap_err();
        assert!(matches!(refusal, BadSet::TooFew { wanted: 1000, .. }), "{refusal}");
    }

    #[test]
    fn the_same_samples_on_any_number_of_threads() {
        let filled = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let set = SampleSet::draw(SampleSetConfig { duplicates: false, ..config() }).unwrap();
                let (mut inputs, mut targets) = (vec![0.0; 2000 * CELLS], vec![0.0; 2000]);
                set.fill(|i| i, &mut inputs, &mut targets);
                (inputs, targets)
            })
        };
        assert_eq!(filled(1), filled(3));
    }
}
