-- | Graphs in adjacency form, as all searches take them: the edges of node i are
-- edges[starts_at[i] .. starts_at[i] + num_edges[i] - 1].

-- | Are there the edges that each node says it has, of so many in all?
def edges_exist [n] (starts_at: [n]i32) (num_edges: [n]i32) (total: i64): bool =
  let exist (start: i32) (count: i32): bool =
    start >= 0 && count >= 0 && i64.i32 start + i64.i32 count <= total
  in and (map2 exist starts_at num_edges)

-- | The levels with which a search of a graph begins: that of node 0 alone is known.
def first_levels [n] [e] (starts_at: [n]i32) (num_edges: [n]i32) (_: [e]i32): *[n]i32 =
  assert (edges_exist starts_at num_edges e) (map (\node -> if node == 0 then 0 else -1) (iota n))
