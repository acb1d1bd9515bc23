-- | Breadth-first search with one-time splitting: where the largest out-degree exceeds three times
-- the mean of the graph, light and heavy active nodes are laid out in two padded blocks, three
-- times the mean and the largest out-degree wide.
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

-- | Marks the new targets of all nodes, of light and heavy ones separately.
def visit_split [n] [e] [m]
    (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32) (levels: [n]i32)
    (width: i64) (largest: i64) (nodes: [m]i64) (found: *[n]bool): *[n]bool =
  let (light, heavy) = partition (\node -> i64.i32 num_edges[node] <= width) nodes
  let found = visit_block starts_at num_edges edges levels width light found
  in visit_block starts_at num_edges edges levels largest heavy found

entry main [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32): [n]i32 =
  let width = 3 * (e / i64.max 1 n + 1)
  let largest = i64.i32 (i32.maximum num_edges)
  let visit (m: i64) (levels: [n]i32) (active: [m]i64) (found: *[n]bool): *[n]bool =
    if largest > width
    then visit_split starts_at num_edges edges levels width largest active found
    else visit_block starts_at num_edges edges levels width active found
  in search starts_at num_edges edges visit
