-- | Breadth-first search, padded: the edges of all active nodes laid out as one flat space in
-- which every node has as many slots as the largest out-degree of the graph.
--
-- The graph comes in adjacency form: the edges of node i are
-- edges[starts_at[i] .. starts_at[i] + num_edges[i] - 1]. The result is each node's level
-- counted in edges from node 0, -1 for nodes that cannot be reached.
-- ==
-- input { [0, 2, 3, 3, 4] [2, 1, 0, 1, 0] [1, 2, 3, 1] }
-- output { [0, 1, 1, 2, -1] }
-- input { [0] [0] empty([0]i32) }
-- output { [0] }

-- | The target of slot q of the flat space, or -1 if there is nothing new there.
def target [n] [e] [m]
    (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32)
    (visited: [n]bool) (active: [m]i64) (width: i64) (q: i64): i64 =
  let node = active[q / width]
  let edge = i32.i64 (q % width)
  in if edge >= num_edges[node]
     then -1
     else let neighbour = edges[starts_at[node] + edge]
          in if visited[neighbour] then -1 else i64.i32 neighbour

entry main [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (edges: [e]i32): [n]i32 =
  let width = i64.i32 (reduce i32.max 0 num_edges)
  let cost = map (\i -> if i == 0 then 0i32 else -1) (iota n)
  let visited = map (\i -> i == 0) (iota n)
  let active = filter (\i -> i == 0) (iota n)
  let (cost, _, _, _) =
    loop (cost, visited, active, level) = (cost, visited, active, 0i32) while length active > 0 do
      let slots = length active * width
      let targets = map (target starts_at num_edges edges visited active width) (iota slots)
      let level = level + 1
      let cost = scatter cost targets (replicate slots level)
      let found = scatter (replicate n false) targets (replicate slots true)
      let visited = map2 (||) visited found
      let active = filter (\i -> found[i]) (iota n)
      in (cost, visited, active, level)
  in cost
