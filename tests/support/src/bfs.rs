//! Graphs for breadth-first search, and the search itself with a queue.

use std::collections::VecDeque;

use ravel_abi::Value;
use ravel_abi::random::Random;

use crate::values::vector;

/// A directed graph in adjacency form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Where each node's edges begin in `edges`.
    pub starts_at: Vec<i32>,
    /// How many edges each node has.
    pub num_edges: Vec<i32>,
    /// The targets of the edges.
    pub edges: Vec<i32>,
}

/// The distribution of the out-degrees of a family of graphs.
#[derive(Clone, Copy, Debug)]
enum Degrees {
    /// Uniform between two numbers, both included.
    Uniform(u64, u64),
    /// Of 100 nodes, 99 uniform between two numbers; the rest exactly the third.
    Skewed(u64, u64, u64),
}

/// A family of graphs: its name, its number of nodes, its degrees.
struct Family(&'static str, u64, Degrees);

/// The families D1 to D6 on which data-parallel breadth-first searches are compared, and small ones
/// of the same shapes.
const FAMILIES: &[Family] = &[
    Family("d1", 6_000, Degrees::Uniform(2_000, 2_000)),
    Family("d2", 6_000, Degrees::Uniform(10, 3_990)),
    Family("d3", 400_000, Degrees::Uniform(30, 30)),
    Family("d4", 20_000, Degrees::Uniform(10, 1_190)),
    Family("d5", 1_000_000, Degrees::Uniform(3, 9)),
    Family("d6", 65_536, Degrees::Skewed(4, 60, 8_192)),
    Family("d1s", 300, Degrees::Uniform(100, 100)),
    Family("d2s", 300, Degrees::Uniform(1, 199)),
    Family("d3s", 4_000, Degrees::Uniform(3, 3)),
    Family("d4s", 1_000, Degrees::Uniform(1, 59)),
    Family("d5s", 10_000, Degrees::Uniform(1, 6)),
    Family("d6s", 2_048, Degrees::Skewed(1, 7, 512)),
];

/// SHA-256 digests of the levels (little-endian i32) of graphs with seed 1, as an independent
/// implementation, written in Python with numpy, computed them from the same files.
pub const LEVEL_DIGESTS: &[(&str, &str)] = &[
    ("d1s", "2d1981223f2030a81ce45059a0ab0013d0c05561d7a460934a229e4e3945eec3"),
    ("d2s", "c71f87fd7d4f602c0375a787d104414e3b1c5665af893b8f2ae7b7cdd694ca25"),
    ("d3s", "a8fa8b539209e427389fdee4c42091a8ab1426b6dd2ae4979eed96ff5832c85e"),
    ("d4s", "aa708baa3399670e6a871407890036a624c0128c405057b78709f15217c593ea"),
    ("d5s", "c2ccc3d375fc8f54da8c64885658f08a62d021dd306ba97476e0f4c1cdb35c0b"),
    ("d6s", "dcacfbf245aa1a733d2e921c205dde50ccc3e13991dd0d26c9d7ede94c7c507d"),
    ("d1", "89aa88c442e9aed134923f7a60daa7eae1cb22295badc083b8dea544b800fb15"),
    ("d2", "b0fe8dea0d10d6b3f954d1e0214a20d35ba3a1260bfb5bc38fbbcf23cf845e51"),
    ("d3", "88224becc55ef0f75568057da33600c6db1d710d93047cc6ad45126fda8a587c"),
    ("d4", "6bf2d7dd58c99f4a53813e4a42601c42790e3758c7b5cfe77a6f67b8f5cf3c24"),
    ("d5", "2c530471a6f3b0ba736a94af46bf80468a15ff8ca0770dcbcd5c44f25fb1b1de"),
    ("d6", "df51551d297f55f9ede6c3112bb126bfc303a030e778033968cc54b5416672c9"),
];

/// The names of the families.
pub fn families() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.0)
}

/// The graph of a family and a seed; targets are uniform with replacement.
pub fn graph(family: &str, seed: u64) -> Option<Graph> {
    let Family(_, nodes, degrees) = FAMILIES.iter().find(|known| known.0 == family)?;
    let mut random = Random::new(seed);
    let num_edges: Vec<i32> = (0..*nodes)
        .map(|_| match *degrees {
            Degrees::Uniform(least, most) => random.between(least, most),
            Degrees::Skewed(least, most, heavy) => {
                if random.below(100) == 0 {
                    heavy
                } else {
                    random.between(least, most)
                }
            }
        } as i32)
        .collect();
    let mut total = 0;
    let starts_at = num_edges
        .iter()
        .map(|&degree| {
            let start = total;
            total += degree;
            start
        })
        .collect();
    let edges = (0..total).map(|_| random.below(*nodes) as i32).collect();
    Some(Graph { starts_at, num_edges, edges })
}

impl Graph {
    /// The record that the programs take.
    pub fn values(&self) -> Vec<Value> {
        [&self.starts_at, &self.num_edges, &self.edges].map(|numbers| vector(numbers)).to_vec()
    }

    /// Every node's level counted in edges from node 0; -1 where it cannot be reached.
    pub fn levels(&self) -> Vec<i32> {
        let mut level = vec![-1; self.starts_at.len()];
        let mut queue = VecDeque::new();
        if let Some(first) = level.first_mut() {
            *first = 0;
            queue.push_back(0);
        }
        while let Some(node) = queue.pop_front() {
            let start = self.starts_at[node] as usize;
            for &target in &self.edges[start..start + self.num_edges[node] as usize] {
                let target = target as usize;
                if level[target] < 0 {
                    level[target] = level[node] + 1;
                    queue.push_back(target);
                }
            }
        }
        level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_count_edges_from_node_0() {
        let graph =
            Graph { starts_at: vec![0, 2, 3, 3, 4], num_edges: vec![2, 1, 0, 1, 0], edges: vec![1, 2, 3, 1] };
        assert_eq!(graph.levels(), [0, 1, 1, 2, -1]);
    }

    #[test]
    fn levels_have_the_digests_of_the_independent_implementation() {
        for (family, digest) in
            LEVEL_DIGESTS.iter().filter(|(family, _)| family.ends_with('s') || *family == "d5")
        {
            let levels = graph(family, 1).expect("a known family").levels();
            assert_eq!(crate::digest::sha256(&vector(&levels)), *digest, "{family}");
        }
    }

    #[test]
    fn every_family_has_its_shape() {
        for family in families().filter(|family| family.ends_with('s')) {
            let graph = graph(family, 1).expect("a known family");
            let total: i32 = graph.num_edges.iter().sum();
            assert_eq!(total as usize, graph.edges.len(), "{family}");
            assert!(graph.edges.iter().all(|&edge| (edge as usize) < graph.starts_at.len()), "{family}");
        }
    }
}
