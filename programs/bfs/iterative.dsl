-- | Breadth-first search with iterative splitting: the active nodes whose out-degree is at most
-- three times the mean are laid out in a padded block of that width, and so on with the others
-- until none is left. The mean of the remaining nodes increases in each round, so this ends.
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

-- | Marks the new targets of all nodes, in each round those of the lightest remaining nodes.
def visit_in_rounds [n] [e]
    (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32)
    (m: i64) (levels: [n]i32) (nodes: [m]i64) (found: *[n]bool): *[n]bool =
  let degree (node: i64) = i64.i32 num_edges[node]
  let (_, found) =
    loop (rest, found) = (copy nodes, found) while length rest > 0 do
      let width = 3 * (i64.sum (map degree rest) / length rest + 1)
      let (light, heavy) = partition (\node -> degree node <= width) rest
      in (heavy, visit_block starts_at num_edges edges levels width light found)
  in found

entry main [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32): [n]i32 =
  search starts_at num_edges edges (visit_in_rounds starts_at num_edges edges)
