-- The second half of a step of breadth-first search: the nodes found are marked as visited and active
-- and removed from the nodes to update, and a flag says whether there are any. The array that the map
-- reads is copied before it is overwritten, so the map fuses with all four scatters.
-- ==
-- input { [false, true, false, true] [true, false, false, false] [false, false, false, false] }
-- output { [true, true, false, true] [false, true, false, true] [false, false, false, false] true }
-- input { [false] [true] [false] }
-- output { [true] [false] [false] false }
entry main [n] (updating: *[n]bool) (visited: *[n]bool) (mask: *[n]bool): ([n]bool, [n]bool, [n]bool, bool) =
  let (found, flags) = unzip (map (\i -> if updating[i] then (i, 0) else (-1, -1)) (iota n))
  let visited = scatter visited found (replicate n true)
  let mask = scatter mask found (replicate n true)
  let updating = scatter (copy updating) found (replicate n false)
  let any = scatter (copy [false]) flags (replicate n true)
  in (visited, mask, updating, any[0])
