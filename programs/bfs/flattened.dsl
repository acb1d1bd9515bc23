-- | Breadth-first search, flattened: the edges of all active nodes are laid out consecutively,
-- without empty slots; a segmented scan finds the edge of each slot.
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
import "segmented"

-- | All edges of some nodes, as indices into the array of edges. Two nodes would begin in one slot
-- if the first had no edge, so those go first.
def edges_of [n] [m] (starts_at: [n]i32) (num_edges: [n]i32) (nodes: [m]i64): []i32 =
  let nodes = filter (\node -> num_edges[node] > 0) nodes
  let degrees = map (\node -> i64.i32 num_edges[node]) nodes
  let offsets = exscan (+) 0 degrees
  let slots = i64.sum degrees
  let heads = spread slots false offsets (map (const true) nodes)
  let steps = spread slots 1 offsets (map (\node -> starts_at[node]) nodes)
  in segmented_scan (+) 0 heads steps

-- | Marks the targets of the nodes' edges that have no level yet.
def visit [n] [e]
    (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32)
    (m: i64) (levels: [n]i32) (nodes: [m]i64) (found: *[n]bool): *[n]bool =
  let target (edge: i32): i64 =
    let neighbour = edges[edge]
    in if levels[neighbour] < 0 then i64.i32 neighbour else -1
  let targets = map target (edges_of starts_at num_edges nodes)
  in scatter found targets (map (const true) targets)

entry main [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32): [n]i32 =
  search starts_at num_edges edges (visit starts_at num_edges edges)
