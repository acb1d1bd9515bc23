-- One-dimensional arrays seen as if they had more dimensions.
-- ==
-- entry: seen
-- input { 2i64 }
-- output { [[1i64, 3i64, 5i64], [6i64, 8i64, 10i64]] [[[0i64, 1i64], [4i64, 5i64]]] [[[[9i64, 8i64]], [[6i64, 5i64]]]] }
-- input { 12i64 }
-- error: out of bounds
entry seen (n: i64) =
  let xs = iota (n * 10)
  in ( intrinsics.flat_index_2d xs 1 n 5 3 2 :> [n][3]i64
     , intrinsics.flat_index_3d (take 6 xs) 0 1 0 2 4 n 1
     , intrinsics.flat_index_4d xs 9 1 7 2 (-3) 1 0 2 (-1))

-- ==
-- entry: replaced
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] 1i64 }
-- output { [0i64, -1i64, -2i64, 3i64, 4i64, -3i64, -4i64, 7i64]
--          [0i64, -1i64, 2i64, -2i64, 4i64, -3i64, 6i64, -4i64]
--          [0i64, -1i64, 2i64, -3i64, 4i64, -2i64, 6i64, -4i64] }
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] 1i64 }
-- error: Assertion is false
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] -2i64 }
-- error: Assertion is false
entry replaced (xs: []i64) (at: i64) =
  ( intrinsics.flat_update_2d (copy xs) at 4 1 [[-1, -2], [-3, -4]]
  , intrinsics.flat_update_3d (copy xs) at 4 2 0 [[[-1], [-2]], [[-3], [-4]]]
  , intrinsics.flat_update_4d (copy xs) at 2 4 9 9 [[[[-1]], [[-2]]], [[[-3]], [[-4]]]])
