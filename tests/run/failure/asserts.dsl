-- Assertions, on the host and in a thread; one whose result is not used may be dropped.
-- ==
-- entry: host
-- input { 3i32 }
-- error: x < 2
-- input { 1i32 }
-- output { 1i32 }
-- entry: thread
-- input { [1, 2, 3] }
-- error: x < 2
-- input { [0, 1] }
-- output { [0, 1] }
-- entry: conditional
-- input { 5i32 }
-- output { 0i32 }

entry host (x: i32): i32 = assert (x < 2) x

entry thread [n] (xs: [n]i32): [n]i32 = map (\x -> assert (x < 2) x) xs

entry conditional (x: i32): i32 = if x < 2 then assert (x < 1) x else 0
