//! Breadth-first search with one queue.

use ravel_abi::Value;
use ravel_support::values::vector;

use super::{Run, elements};

pub fn prepare(input: &[Value]) -> Option<Run<'_>> {
    let [starts_at, num_edges, edges] = input else { return None };
    let [starts_at, num_edges, edges] =
        [starts_at, num_edges, edges].map(elements::<i32>).map(Option::unwrap_or_default);
    let nodes = starts_at.len();
    let mut levels = vec![0i32; nodes];
    let mut queue = vec![0u32; nodes];
    Some(Box::new(move || {
        levels.fill(-1);
        levels[..nodes.min(1)].fill(0);
        let (mut front, mut back) = (0, nodes.min(1));
        while front < back {
            let node = queue[front] as usize;
            front += 1;
            let next = levels[node] + 1;
            let start = starts_at[node] as usize;
            for &target in &edges[start..start + num_edges[node] as usize] {
                let level = &mut levels[target as usize];
                if *level < 0 {
                    *level = next;
                    queue[back] = target as u32;
                    back += 1;
                }
            }
        }
        vector(&levels)
    }))
}
