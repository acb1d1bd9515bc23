-- Integer division by zero is an error, on the host and in a thread.
-- ==
-- entry: host
-- input { 1i32 0i32 }
-- error: division by zero
-- input { 6i32 3i32 }
-- output { 2i32 }
-- entry: thread
-- input { [1, 2, 3] [1, 0, 0] }
-- error: division by zero
-- input { [4, 6] [2, 3] }
-- output { [2, 2] }

entry host (x: i32) (y: i32): i32 = x / y

entry thread [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (/) xs ys
