//! The vote of the nearest neighbours.
//!
//! The class with the most votes wins; among equals the one with the nearest voter. So one list of neighbours answers
//! for every k up to its length.

use super::points::Neighbour;

/// How the neighbours of a point voted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Votes for each class.
    pub counts: Vec<u32>,
    /// The winning class; the first if there are no votes.
    pub winner: usize,
}

/// The votes of the nearest 1, 2, 3 … neighbours, given nearest first; `class` maps a point to its class.
pub fn votes(near: &[Neighbour], classes: usize, class: impl Fn(u32) -> usize) -> Vec<Vote> {
    let mut counts = vec![0; classes];
    // The rank of the nearest voter of each class.
    let mut first = vec![usize::MAX; classes];
    let vote = |(place, near): (usize, &Neighbour)| {
        let voted = class(near.point);
        counts[voted] += 1;
        first[voted] = first[voted].min(place);
        let winner = (0..classes).max_by_key(|&class| (counts[class], std::cmp::Reverse(first[class])));
        Vote { counts: counts.clone(), winner: winner.unwrap_or(0) }
    };
    near.iter().enumerate().map(vote).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_votes_win_and_of_equals_the_nearest() {
        let near: Vec<Neighbour> = (0..5).map(|point| Neighbour { distance: point as i32, point }).collect();
        let classes = [2, 1, 1, 0, 2];
        let winners: Vec<usize> =
            votes(&near, 3, |point| classes[point as usize]).iter().map(|vote| vote.winner).collect();
        assert_eq!(winners, [2, 2, 1, 1, 2]);
        assert_eq!(votes(&near, 3, |point| classes[point as usize])[4].counts, [1, 2, 2]);
        assert!(votes(&[], 3, |_| 0).is_empty());
    }
}
