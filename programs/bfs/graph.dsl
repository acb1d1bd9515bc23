-- | Directed graphs for breadth-first search: the number of edges of a node is drawn from a distribution,
-- and each edge leads to any node with equal probability.
--
--     echo 1 | ravel run --binary --entry d5 programs/bfs/graph.dsl > d5.in
-- ==
-- entry: uniform
-- input { 4i64 0i64 2i64 1u64 }
-- output { [0, 1, 3, 5] [1, 2, 2, 1] [1, 3, 3, 2, 1, 3] }
-- input { 4i64 2i64 1i64 1u64 }
-- error: Assertion is false: .0 <= least && least <= most
-- input { 4i64 -1i64 1i64 1u64 }
-- error: Assertion is false: .0 <= least && least <= most

-- ==
-- entry: skewed
-- input { 0i64 0i64 2i64 9i64 1u64 }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) }

import "random"

-- | The `i`-th random number of a seed, at least 0 and below `bound`.
def below (seed: u64) (bound: i64) (i: i64): i64 = i64.u64 (u64.mul_hi (splitmix64 seed i) (u64.i64 bound))

-- | A number between two, both included and at least 0.
def between (seed: u64) (least: i64) (most: i64) (i: i64): i64 =
  assert (0 <= least && least <= most) least + below seed (most - least + 1) i

-- | The start and the number of each node's edges, and the targets of all edges: the input of the
-- searches. The targets use the random numbers from the `drawn`-th on.
def graph [n] (seed: u64) (drawn: i64) (num_edges: [n]i64): ([n]i32, [n]i32, []i32) =
  let ends = scan (+) 0 num_edges
  let starts_at = map2 (-) ends num_edges
  let total = if n == 0 then 0 else last ends
  in (map i32.i64 starts_at,
      map i32.i64 num_edges,
      map (\e -> i32.i64 (below seed n (drawn + e))) (iota total))

-- | Between `least` and `most` edges per node.
entry uniform (nodes: i64) (least: i64) (most: i64) (seed: u64): ([]i32, []i32, []i32) =
  graph seed nodes (map (between seed least most) (iota nodes))

-- | The same, but one node in a hundred is `heavy`.
entry skewed (nodes: i64) (least: i64) (most: i64) (heavy: i64) (seed: u64): ([]i32, []i32, []i32) =
  let (num_edges, drawn) =
    loop (num_edges, i) = (replicate nodes heavy, 0) for node < nodes do
      if below seed 100 i == 0
      then (num_edges, i + 1)
      else (num_edges with [node] = between seed least most (i + 1), i + 2)
  in graph seed drawn num_edges

-- The families on which searches are compared, and small ones of the same shapes.

entry d1 = uniform 6_000 2_000 2_000
entry d2 = uniform 6_000 10 3_990
entry d3 = uniform 400_000 30 30
entry d4 = uniform 20_000 10 1_190
entry d5 = uniform 1_000_000 3 9
entry d6 = skewed 65_536 4 60 8_192

entry d1s = uniform 300 100 100
entry d2s = uniform 300 1 199
entry d3s = uniform 4_000 3 3
entry d4s = uniform 1_000 1 59
entry d5s = uniform 10_000 1 6
entry d6s = skewed 2_048 1 7 512
