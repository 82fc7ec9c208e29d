//! The parameters of a training, and the method.

use std::path::PathBuf;

use outplay_core::{Referee, Text};
use outplay_nn::SparseActivation;
use outplay_players::{Puct, RootExploration, ZeroSelfPlayConfig};

use super::buffer::MOST_BYTES;
use super::check::{CheckParams, MEASURES};
use super::training::ZeroTraining;
use crate::learning::{LearningError, SelfPlayGame};
use crate::params::{Tracked, USUAL_MEMORY};
use crate::registry::MethodDef;
use crate::training_memory::TrainingMemory;
use crate::{params, words};

params! {
    /// How long is learnt, and by which network.
    pub(super) struct LearningParams {
        games: u64 = 10_000, in 1..=1_000_000_000_000, "games to learn from" | "parties dont apprendre";
        generation: u64 = 200, in 1..=1_000_000,
            "games that one network plays before it learns from them" | "parties qu’un réseau joue avant d’en apprendre";
        hidden: Tracked<usize> = 128.into(), in 32..=4096,
            "hidden neurons, a multiple of 32" | "neurones cachés, multiple de 32";
        activation: Tracked<SparseActivation> = SparseActivation::Squared.into(),
            "activation of the hidden neurons" | "activation des neurones cachés";
        batch: usize = 512, in 1..=65_536, "positions in a batch" | "positions par lot";
        alpha: f64 = 0.004, in 0.0..=1.0, "learning rate" | "taux d’apprentissage";
        alpha_end as "alpha-end": f64 = 0.0002, in 0.0..=1.0,
            "learning rate at the end; it falls evenly" | "taux d’apprentissage à la fin ; il baisse également";
        decay: f64 = 0.0001, in 0.0..=1.0,
            "share of each weight that is lost in a step of rate 1" | "part de chaque poids perdue par un pas de taux 1";
        average: f64 = 0.99, in 0.0..=0.999_999,
            "share of the running mean of the weights that is kept in a step; the mean is what plays"
            | "part de la moyenne mobile des poids gardée à chaque pas ; c’est la moyenne qui joue";
        from: Option<PathBuf> = None,
            "a network to continue from, instead of a new one" | "un réseau à poursuivre, au lieu d’un nouveau";
    }
    memory |own| LearningParams::memory_of(*own.hidden, own.batch)
}

/// More inputs and move slots than any game has, together.
const MOST_ROWS: usize = 8192;

impl LearningParams {
    fn memory_of(hidden: usize, batch: usize) -> u32 {
        let parameters = (MOST_ROWS * hidden) as u64;
        TrainingMemory { parameters, outputs: (64 * MOST_ROWS) as u64, examples: (batch * MOST_ROWS) as u64 }
            .mebibytes()
    }
}

words!(SparseActivation { "clipped" => SparseActivation::Clipped, "squared" => SparseActivation::Squared });

params! {
    /// Which positions are learnt, and how often.
    pub(super) struct BufferParams {
        window: f64 = 0.5, in 0.0..=1.0,
            "share of all positions so far, the latest ones, from which batches are drawn"
            | "part de toutes les positions, les dernières, dont sont tirés les lots";
        buffer: usize = 500_000, in 1..=100_000_000,
            "positions that are kept at most" | "positions gardées au plus";
        reuse: f64 = 6.0, in 0.0..=1000.0,
            "how often a position is learnt, on average" | "combien de fois une position est apprise, en moyenne";
        mix: f64 = 0.25, in 0.0..=1.0,
            "share of the value that the search expected in what is learnt; the rest is the game's result"
            | "part de la valeur attendue par la recherche dans ce qui est appris ; le reste est le résultat de la partie";
        mirrors: bool = true,
            "whether positions are also learnt as the symmetries of the board show them"
            | "si les positions sont aussi apprises telles que les symétries du plateau les montrent";
    }
    memory |own| ((own.buffer * MOST_BYTES) >> 20) as u32
}

params! {
    /// How the games to learn from are played.
    pub(super) struct SelfPlayParams {
        simulations as "sims": u32 = 64, in 1..=1_000_000,
            "simulations of a full search, from whose policy is learnt"
            | "simulations d’une recherche complète, dont la politique est apprise";
        quick: Tracked<u32> = 16.into(), in 1..=1_000_000,
            "simulations of a quick search, from which only the value is learnt"
            | "simulations d’une recherche rapide, dont seule la valeur est apprise";
        full: f64 = 1.0, in 0.01..=1.0, "share of moves that get a full search" | "part de coups à recherche complète";
        root: RootChoice = RootChoice::Gumbel,
            "how root moves are explored: by Gumbel's noise and sequential halving, or by Dirichlet's noise in the priors"
            | "comment les coups de la racine sont explorés : bruit de Gumbel et élimination par moitiés, ou bruit de Dirichlet dans les priors";
        considered: Tracked<usize> = 16.into(), in 1..=10_000,
            "root moves that are tried at first" | "coups de la racine essayés d’abord";
        noise: Tracked<f64> = 0.25.into(), in 0.0..=1.0,
            "share of Dirichlet's noise in the priors" | "part du bruit de Dirichlet dans les priors";
        exploration as "c": f64 = Puct::default().exploration, in 0.0..=100.0,
            "exploration constant of PUCT, for values from 0 to 1" | "constante d’exploration de PUCT, pour des valeurs de 0 à 1";
        urgency as "fpu": f64 = Puct::default().first_play_urgency, in -1.0..=1.0,
            "by how much a move without visits is worth less than its position" | "de combien un coup sans visite vaut moins que sa position";
        drawn: usize = 8, in 0..=10_000,
            "first plies whose moves are drawn by the improved policy; later ones are the best by the search"
            | "premiers demi-coups tirés par la politique améliorée ; ensuite, le meilleur selon la recherche";
        random_plies as "random": usize = 0, in 0..=10_000,
            "games begin with up to so many random moves" | "les parties commencent par au plus tant de coups au hasard";
        resign: f64 = 0.0, in 0.0..=0.5,
            "a side that expects fewer points gives up, but for a tenth of the games; 0 never does"
            | "un camp qui attend moins de points abandonne, sauf dans un dixième des parties ; 0 jamais";
        adjudicate: bool = true,
            "whether a game ends as soon as a search has proven its result" | "si une partie finit dès qu’une recherche a prouvé son résultat";
    }
    memory |_params| USUAL_MEMORY
}

/// How root moves are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootChoice {
    Gumbel,
    Dirichlet,
}

words!(RootChoice { "gumbel" => RootChoice::Gumbel, "dirichlet" => RootChoice::Dirichlet });

impl SelfPlayParams {
    pub(super) fn config(&self) -> ZeroSelfPlayConfig {
        ZeroSelfPlayConfig {
            puct: Puct { exploration: self.exploration, first_play_urgency: self.urgency },
            exploration: match self.root {
                RootChoice::Gumbel => RootExploration::Gumbel { considered: *self.considered },
                RootChoice::Dirichlet => RootExploration::Dirichlet { share: *self.noise as f32 },
            },
            simulations: self.simulations,
            quick_simulations: *self.quick,
            full_share: self.full,
            drawn_plies: self.drawn,
            random_plies: self.random_plies,
            resignation: self.resign,
            adjudication: self.adjudicate,
        }
    }

    /// Refuses what would have no effect.
    pub(super) fn check(&self) -> Result<(), LearningError> {
        let unused = |name, with: &'static str| Err(LearningError::NoEffect { name, with: Text::same(with) });
        if self.considered.is_given() && self.root != RootChoice::Gumbel {
            return unused("considered", "root=dirichlet");
        }
        if self.noise.is_given() && self.root != RootChoice::Dirichlet {
            return unused("noise", "root=gumbel");
        }
        if self.quick.is_given() && self.full >= 1.0 {
            return unused("quick", "full=1");
        }
        Ok(())
    }
}

/// All parameters of a training.
pub(super) type ZeroParams = (LearningParams, (BufferParams, (SelfPlayParams, CheckParams)));

/// The method `zero`.
pub(crate) fn zero_method<P: SelfPlayGame>() -> MethodDef<Referee<P>> {
    MethodDef::new(
        "zero",
        Text::new(
            "self-play, policy and value by tree search (AlphaZero)",
            "contre soi-même, politique et valeur par recherche arborescente (AlphaZero)",
        ),
        ZeroParams::default(),
        MEASURES,
        |game: &Referee<P>, params: &ZeroParams, seed, store, watch| {
            Ok(Box::new(ZeroTraining::begin(game, params, seed, store, watch)?))
        },
    )
}
