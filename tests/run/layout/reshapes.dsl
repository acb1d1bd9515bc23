-- Points that read parts of an array in another shape. If the elements of a part are evenly spaced, the points read them where
-- they are; otherwise each point copies its part. A digest depends on the order of the elements. The file `reshapes.dsl.tuning`
-- sets the limit of the pass `layout` so low that arrays are transposed.

def digest (xs: []i32): i32 = loop sum = 0 for i < length xs do 3 * sum + xs[i]

-- ==
-- entry: rows
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [4916i32, 31156i32, 57396i32] }
entry rows [n] [m] [k] (xsss: [n][m][k]i32): [n]i32 =
  map (\xss -> digest (flatten xss)) xsss

-- ==
-- entry: columns
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [1080i32, 1444i32, 1808i32, 2172i32] }
entry columns [n] [m] [k] (xsss: [n][m][k]i32): [k]i32 =
  map (\c -> digest (flatten xsss[:, :, c])) (iota k)

-- ==
-- entry: middle
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [411854i32, 1474734i32] }
entry middle [n] [m] [k] (xsss: [n][m][k]i32): [m]i32 =
  map (\j -> digest (flatten xsss[:, j, :])) (iota m)

-- ==
-- entry: parts
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [920i32, 3832i32, 6744i32] }
entry parts [n] [m] [k] (xsss: [n][m][k]i32): [n]i32 =
  map (\xss -> digest (flatten xss[:, 1:])) xsss

-- ==
-- entry: first_parts
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [58i32, 378i32, 698i32] }
entry first_parts [n] [m] [k] (xsss: [n][m][k]i32): [n]i32 =
  map (\xss -> digest (flatten xss[0:1])) xsss

-- ==
-- entry: every_second
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [76i32, 396i32, 716i32] }
entry every_second [n] [m] [k] (xsss: [n][m][k]i32): [n]i32 =
  map (\xss -> digest (flatten xss[:, ::2])) xsss

-- ==
-- entry: backwards
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [17716i32, 43956i32, 70196i32] }
entry backwards [n] [m] [k] (xsss: [n][m][k]i32): [n]i32 =
  map (\xss -> digest (flatten xss[::-1])) xsss

-- ==
-- entry: turned
-- input { [[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32]], [[17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]]] }
-- output { [6968i32, 33208i32, 59448i32] }
entry turned [n] [m] [k] (xsss: [n][m][k]i32): [n]i32 =
  map (\xss -> digest (flatten (transpose xss))) xsss

-- ==
-- entry: unflattened
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32], [9i32, 10i32, 11i32, 12i32], [13i32, 14i32, 15i32, 16i32], [17i32, 18i32, 19i32, 20i32], [21i32, 22i32, 23i32, 24i32]] }
-- output { [1632i32, 1996i32, 2360i32, 2724i32] }
entry unflattened [n] [k] (xss: [n][k]i32): [k]i32 =
  map (\c -> digest (flatten (transpose (unflatten (xss[:, c] :> [2 * (n / 2)]i32))))) (iota k)
