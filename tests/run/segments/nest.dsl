-- Perfectly nested maps run as one segment, with a dimension for each map (the rule `nest`).

-- ==
-- entry: scaled
-- structure flat { segment 1 dimension 2 screma 0 }
-- input { [[1i32, 2, 3], [4, 5, 6]] [2i32, -1] }
-- output { [[2i32, 4, 6], [-4, -5, -6]] }
-- input { empty([0][3]i32) empty([0]i32) }
-- output { empty([0][3]i32) }
entry scaled [n] [m] (xss: [n][m]i32) (ks: [n]i32): [n][m]i32 = map2 (\xs k -> map (* k) xs) xss ks

-- ==
-- entry: cubes
-- structure flat { segment 1 dimension 3 screma 0 }
-- input { [[[1i32, -2], [3, 4]]] }
-- output { [[[1i32, -8], [27, 64]]] }
entry cubes [n] [m] [k] (xsss: [n][m][k]i32): [n][m][k]i32 = map (map (map (** 3))) xsss
