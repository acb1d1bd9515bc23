def f (xs: *[]i32) (is: [2]i64) = scatter xs is [1, 2]
