-- The end of a step of breadth-first search: the nodes found get their cost and are marked in three
-- arrays. There are four scatters and a map; the positions of three scatters are mapped.
-- ==
-- input { [0, -1, -1, -1] [false, false, false, false] [true, false, false, false] [true, false, false, false] [0, 1] [2, 3] 1 }
-- output { [0, -1, 1, 1] [false, false, true, true] [true, false, true, true] [false, false, false, false] }
entry main [n] [m] [e]
    (cost: *[n]i32) (updating: *[n]bool) (visited: *[n]bool) (mask: *[n]bool)
    (active: [m]i64) (edges: [e]i64) (level: i32): ([n]i32, [n]bool, [n]bool, [n]bool) =
  let found = map (\edge -> edges[edge]) active
  let cost = scatter cost found (replicate m level)
  let updating = scatter updating found (replicate m true)
  let visited = scatter visited found (replicate m true)
  let mask = scatter mask active (replicate m false)
  in (cost, updating, visited, mask)
