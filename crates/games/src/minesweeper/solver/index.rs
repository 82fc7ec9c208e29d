//! An index from keys to nodes within one layer.

/// Layers with fewer nodes than this are searched linearly.
const FEW: usize = 8;

/// An open-addressing hash table from keys to nodes; the keys are stored in the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeIndex {
    nodes: Vec<u32>,
    /// One entry per place: the node and the layer it was written in.
    places: Vec<(u32, u32)>,
    layer: u32,
}

impl NodeIndex {
    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.layer = self.layer.wrapping_add(1);
        if self.layer == 0 {
            self.places.fill((0, 0));
            self.layer = 1;
        }
    }

    /// The node with this key; if there is none, `fresh` is inserted.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        key: u128,
        fresh: usize,
        key_of: impl Fn(usize) -> u128,
    ) -> usize {
        if self.nodes.len() < FEW {
            if let Some(&node) = self.nodes.iter().find(|&&node| key_of(node as usize) == key) {
                return node as usize;
            }
            self.nodes.push(fresh as u32);
            if self.nodes.len() == FEW {
                self.rebuild(|node| if node == fresh { key } else { key_of(node) });
            }
            return fresh;
        }
        let mask = self.places.len() - 1;
        let mut place = hash(key) & mask;
        while self.places[place].1 == self.layer {
            let node = self.places[place].0 as usize;
            if key_of(node) == key {
                return node;
            }
            place = (place + 1) & mask;
        }
        self.places[place] = (fresh as u32, self.layer);
        self.nodes.push(fresh as u32);
        if self.nodes.len() * 2 > self.places.len() {
            self.rebuild(|node| if node == fresh { key } else { key_of(node) });
        }
        fresh
    }

    fn rebuild(&mut self, key_of: impl Fn(usize) -> u128) {
        let size = (self.nodes.len() * 4).next_power_of_two().max(self.places.len());
        if size > self.places.len() {
            self.places.clear();
            self.places.resize(size, (0, 0));
        }
        for &node in &self.nodes {
            let mut place = hash(key_of(node as usize)) & (size - 1);
            while self.places[place].1 == self.layer {
                place = (place + 1) & (size - 1);
            }
            self.places[place] = (node, self.layer);
        }
    }
}

#[inline]
const fn hash(key: u128) -> usize {
    let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize
}
