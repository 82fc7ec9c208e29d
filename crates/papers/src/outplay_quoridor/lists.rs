//! The lists of matches.

use super::matches::{ListedMatch, MatchList, MatchSide};
use crate::artefact::Scale;
use outplay_lab::quoridor::tournoi::{self, TournoiForm};

const LARGE: &str = "quoridor";

/// A match of two players of the program on the 9×9 board.
fn large(first: &str, second: &str, games: u64, random_plies: u32) -> ListedMatch {
    ListedMatch {
        label: format!("`{first}` against `{second}`"),
        game: LARGE,
        sides: [first, second].map(MatchSide::player),
        games,
        random_plies,
    }
}

/// Alpha-beta against Monte-Carlo tree search.
pub(super) const METHODS: MatchList = MatchList {
    remark: "9×9, ten walls, six random moves first. Budgets are counts that take the two methods about the same time. \
             `playout=none` lets the evaluator judge each leaf at once; `playout=likely` plays games of likely moves from there.",
    pairings: |scale| {
        let (nodes, direct, informed, games, one_sided) = match scale {
            Scale::Smoke => (100, 25, 10, 2, 2),
            Scale::Desk => (4000, 1000, 400, 60, 30),
            Scale::Full => (16_000, 4000, 1600, 100, 50),
        };
        let first = format!("alphabeta:nodes={nodes}");
        let direct = format!("mcts:sims={direct},playout=none,c=0.3");
        let informed = format!("mcts:sims={informed},playout=likely");
        vec![
            large(&first, &direct, games, 6),
            large(&first, &informed, one_sided, 6),
            large(&direct, &informed, one_sided, 6),
        ]
    },
};

/// What alpha-beta's evaluator gives for a wall, and at which moves it looks.
pub(super) const WEIGHTS: MatchList = MatchList {
    remark: "9×9, ten walls, six random moves first. The weights of `path` as they are (a step 400, a wall in hand 800, walls near \
             pawns, ways and other walls) against others, everything else alike.",
    pairings: |scale| {
        let (nodes, games) = match scale {
            Scale::Smoke => (50, 2),
            Scale::Desk => (1000, 40),
            Scale::Full => (3000, 100),
        };
        let first = format!("alphabeta:nodes={nodes}");
        ["wall=200", "wall=400", "wall=650", "wall=950", "wall=1300", "moves=all", "moves=all,wall=200"]
            .map(|other| large(&first, &format!("{first},{other}"), games, 6))
            .to_vec()
    },
};

/// The levels of `expert`.
pub(super) const LEVELS: MatchList = MatchList {
    remark: "9×9, ten walls, two random moves first: each level of `expert` against the one below. Level 10 thinks for a second of \
             the clock, the others count positions.",
    pairings: |scale| {
        let (highest, games) = match scale {
            Scale::Smoke => (3, 2),
            Scale::Desk => (7, 60),
            Scale::Full => (10, 100),
        };
        // The highest levels think longest.
        let games_at = |level: u32| match level {
            10 => games / 5,
            8 | 9 => 2 * games / 5,
            _ => games,
        };
        (2..=highest)
            .map(|level| {
                let [upper, lower] = [level, level - 1].map(|level| format!("expert:level={level}"));
                large(&upper, &lower, games_at(level), 2)
            })
            .collect()
    },
};

/// How the opponents play the tournament's AI: their share of random moves, the random moves before the game, and the name
/// in the table.
const MEETINGS: [(f64, u32, &str); 2] = [(0.05, 0, "distracted"), (0.0, 2, "even-handed")];

/// The tournament's AI against those that it should beat.
pub(super) const TOURNOI: MatchList = MatchList {
    remark: "5×5, three walls: what `outplay tournoi --strongest` makes, at its best, against the greedy shortest-path player and against networks \
             that learnt by TD(λ) with the document's parameters from as many games. None of them ever hesitates, so something has \
             to make games differ: a distracted opponent draws one of its moves in twenty blindly, from the start of the game; \
             even-handed games begin with two random moves, and both play at their best from there. By the exact solution black wins \
             from the start; and since the two games of a pair begin alike, with colours swapped, winning both always takes a \
             mistake of the opponent's.",
    pairings: |scale| {
        let (learnt, seeds, games) = match scale {
            Scale::Smoke => (200, 1, 2),
            Scale::Desk => (50_000, 4, 200),
            Scale::Full => (200_000, 10, 1000),
        };
        let meeting = |(eps, random_plies, manner): (f64, u32, &'static str)| {
            let ours = || MatchSide::Learnt {
                method: tournoi::method(learnt, TournoiForm::Strongest),
                seed: 0,
                eps: 0.0,
            };
            let pairing = move |label: String, other: MatchSide| ListedMatch {
                label: format!("{manner}, against {label}"),
                game: tournoi::BOARD,
                sides: [ours(), other],
                games,
                random_plies,
            };
            let greedy = ["greedy", "greedy:wall=200"].map(|name| {
                let separator = if name.contains(':') { ',' } else { ':' };
                pairing(format!("`{name}`"), MatchSide::Player(format!("{name}{separator}eps={eps}")))
            });
            let plain = (101..101 + seeds).map(move |seed| {
                let other = MatchSide::Learnt { method: format!("td-lambda:games={learnt}"), seed, eps };
                pairing(format!("TD(λ), seed {seed}"), other)
            });
            greedy.into_iter().chain(plain).collect::<Vec<ListedMatch>>()
        };
        MEETINGS.into_iter().flat_map(meeting).collect()
    },
};

/// What the network of the 9×9 board is worth with and without a search.
pub(super) const NETWORK: MatchList = MatchList {
    remark: "9×9, ten walls, six random moves first: the network that comes with the program against players that count paths.",
    pairings: |scale| {
        let (levels, games): (&[u32], u64) = match scale {
            Scale::Smoke => (&[1], 2),
            Scale::Desk => (&[1, 3, 5], 60),
            Scale::Full => (&[1, 2, 3, 4, 5, 6], 200),
        };
        let levels = levels.iter().map(|level| large("net", &format!("expert:level={level}"), games, 6));
        let others = ["random", "greedy:wall=200"].map(|other| large("net", other, games, 6));
        let deep = large("net:depth=2", "alphabeta:depth=2", games, 6);
        others.into_iter().chain(levels).chain([deep]).collect()
    },
};
