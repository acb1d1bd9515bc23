-- | Graphs in adjacency form, the input of all searches: the edges of node i are
-- edges[starts_at[i] .. starts_at[i] + num_edges[i] - 1].

-- | Whether the edges of every node are within the array of all edges.
def edges_exist [n] (starts_at: [n]i32) (num_edges: [n]i32) (total: i64): bool =
  let exist (start: i32) (count: i32): bool =
    start >= 0 && count >= 0 && i64.i32 start + i64.i32 count <= total
  in and (map2 exist starts_at num_edges)

-- | The initial levels of a search: only node 0 has one.
def first_levels [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (_: [e]i32): *[n]i32 =
  assert (edges_exist starts_at num_edges e) (map (\node -> if node == 0 then 0 else -1) (iota n))

-- | The search from node 0, level by level: `visit` marks the targets of the active nodes' edges that have no level
-- yet. The marked nodes are active next.
def search [n] [e]
    (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32)
    (visit: (m: i64) -> (levels: [n]i32) -> (active: [m]i64) -> (found: *[n]bool) -> *[n]bool): [n]i32 =
  let levels = first_levels starts_at num_edges edges
  let (levels, _, _) =
    loop (levels, active, level) = (levels, filter (== 0) (iota n), 0) while length active > 0 do
      let [m] (nodes: [m]i64) = active
      let found = visit m levels nodes (replicate n false)
      let level = level + 1
      let levels = map2 (\new known -> if new then level else known) found levels
      in (levels, filter (\node -> found[node]) (iota n), level)
  in levels

-- | The edges of some nodes in a block with a row of `width` slots for each node: marks the targets
-- that have no level yet.
def visit_block [n] [e] [m]
    (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32) (levels: [n]i32)
    (width: i64) (nodes: [m]i64) (found: *[n]bool): *[n]bool =
  let target (slot: i64): i64 =
    let node = nodes[slot / width]
    let edge = i32.i64 (slot % width)
    in if edge >= num_edges[node]
       then -1
       else let neighbour = edges[starts_at[node] + edge]
            in if levels[neighbour] < 0 then i64.i32 neighbour else -1
  let slots = m * width
  in scatter found (map target (iota slots)) (replicate slots true)
