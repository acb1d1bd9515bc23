-- | Breadth-first search as in an imperative program: one queue of nodes, and one edge at a
-- time. The baseline of the data-parallel versions.
--
-- The graph comes in adjacency form: the edges of node i are
-- edges[starts_at[i] .. starts_at[i] + num_edges[i] - 1]. The result is each node's level
-- counted in edges from node 0, -1 for nodes that cannot be reached.
-- ==
-- input { [0, 2, 3, 3, 4] [2, 1, 0, 1, 0] [1, 2, 3, 1] }
-- output { [0, 1, 1, 2, -1] }
-- input { [0] [0] empty([0]i32) }
-- output { [0] }
-- input { [0, 3, 3, 4] [3, 0, 1, 1] [0, 2, 2, 3, 1] }
-- output { [0, 3, 1, 2] }
-- input { [0, 3, 4, 16, 17, 18] [3, 1, 12, 1, 1, 0] [1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 5, 0] }
-- output { [0, 1, 1, 1, 2, 2] }
-- input { [0, 0] [-100, 0] empty([0]i32) }
-- error: Assertion is false: .edges_exist
-- input { [0, 1] [1, 1] [1] }
-- error: Assertion is false: .edges_exist
-- input { [0, -1] [1, 1] [1] }
-- error: Assertion is false: .edges_exist
-- input { [0, 1] [1, 0] [2] }
-- error: Index \[2\] out of bounds

import "adjacency"

entry main [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32): [n]i32 =
  let levels = first_levels starts_at num_edges edges
  let (levels, _, _, _) =
    loop (levels, queue, front, back) = (levels, replicate n 0, 0, i64.min 1 n) while front < back do
      let node = queue[front]
      let (levels, queue, back) =
        loop (levels, queue, back) = (levels, queue, back) for edge < num_edges[node] do
          let neighbour = edges[starts_at[node] + edge]
          in if levels[neighbour] >= 0
             then (levels, queue, back)
             else (levels with [neighbour] = levels[node] + 1, queue with [back] = neighbour, back + 1)
      in (levels, queue, front + 1, back)
  in levels
