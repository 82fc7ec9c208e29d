//! In which order gold can be taken without getting stuck: the strongly connected parts of the exact ways.
//!
//! Parts are numbered so that ways lead from higher numbers to lower ones. All gold can be taken if the parts that hold gold
//! form a chain in which each can reach the next, and the exit can be reached from the last.

use super::moment::Moment;
use super::physics::Physics;
use super::terrain::{MAX_SPOTS, Spot, SpotSet};
use super::ways::Ways;

/// The number of the part of every spot.
fn parts(ways: &Ways) -> Vec<u16> {
    const NONE: u16 = u16::MAX;
    let (mut number, mut low) = (vec![NONE; MAX_SPOTS], vec![0u16; MAX_SPOTS]);
    let (mut part, mut parts) = (vec![NONE; MAX_SPOTS], 0);
    let (mut path, mut open, mut count) = (Vec::<(Spot, usize)>::new(), Vec::<Spot>::new(), 0);
    for root in (0..MAX_SPOTS as u16).map(Spot) {
        if number[root.index()] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some((at, edge)) = path.pop() {
            let index = at.index();
            if edge == 0 {
                (number[index], low[index]) = (count, count);
                count += 1;
                open.push(at);
            }
            if let Some(&(to, _)) = ways.from(at).get(edge) {
                path.push((at, edge + 1));
                if number[to.index()] == NONE {
                    path.push((to, 0));
                } else if part[to.index()] == NONE {
                    low[index] = low[index].min(number[to.index()]);
                }
                continue;
            }
            if low[index] == number[index] {
                while let Some(member) = open.pop() {
                    part[member.index()] = parts;
                    if member == at {
                        break;
                    }
                }
                parts += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent.index()] = low[parent.index()].min(low[index]);
            }
        }
    }
    part
}

/// The gold that may be taken next from the runner's place, so that as much as possible can be taken afterwards and the exit
/// reached. The ways are the exact ones.
pub(super) fn next_gold(physics: &Physics<'_>, moment: &Moment, ways: &Ways) -> SpotSet {
    let exits = exit_reach(physics);
    let part = parts(ways);
    let mut chain: Vec<(u16, Vec<Spot>)> = Vec::new();
    for gold in moment.gold.iter() {
        match chain.iter_mut().find(|(number, _)| *number == part[gold.index()]) {
            Some((_, golds)) => golds.push(gold),
            None => chain.push((part[gold.index()], vec![gold])),
        }
    }
    chain.sort_by_key(|(number, _)| *number);
    // From the last part to the first: how much can be taken from each on.
    let mut worth: Vec<usize> = Vec::with_capacity(chain.len());
    for (place, (_, golds)) in chain.iter().enumerate() {
        let reach = ways.reach(golds[0]);
        let exit = usize::from(exits[golds[0].index()]) * 1000;
        let onward =
            (0..place).filter(|&later| reach.contains(chain[later].1[0])).map(|later| worth[later]).max();
        worth.push(golds.len() + onward.unwrap_or(0).max(exit));
    }
    let reach = ways.reach(moment.runner);
    let reachable = |place: &usize| reach.contains(chain[*place].1[0]);
    let best = (0..chain.len()).filter(reachable).map(|place| worth[place]).max().unwrap_or(0);
    let mut allowed = SpotSet::default();
    for place in (0..chain.len()).filter(reachable).filter(|&place| worth[place] == best) {
        chain[place].1.iter().for_each(|&gold| allowed.insert(gold));
    }
    allowed
}

/// From which spots the top can be reached once all gold is taken.
fn exit_reach(physics: &Physics<'_>) -> Vec<bool> {
    let ways = Ways::new(physics, &SpotSet::default(), true, false);
    let top = physics.terrain.spots().take_while(|&spot| physics.terrain.is_top(spot));
    ways.lengths_to(top).into_iter().map(|length| length != super::ways::NO_WAY).collect()
}
