-- An `assert` guards code that loops, allocates or fails: the code runs only if the condition holds.
-- ==
-- entry: sum
-- input { 3 } output { 4 }
-- input { 0 }
-- error: Assertion is false: \(x > 0\)
-- entry: application
-- input { 3 } output { 4 }
-- input { 0 }
-- error: Assertion is false: \(x > 0\)
-- entry: binding
-- input { 3 } output { 6 }
-- entry: branch
-- input { 3 } output { 4 }
-- entry: in_a_lambda
-- input { [1, 2] } output { [2, 4] }
-- entry: beside
-- input { 3 } output { 3 2 }

entry sum (x: i32): i32 = assert (x > 0) x + 1

entry application (x: i32): i32 = assert (x > 0) (\y -> y + 1) x

entry binding (x: i32): i32 = assert (x > 0) let y = x in y + y

entry branch (x: i32): i32 = 1 + assert (x > 0) if x > 1 then x else 2

entry in_a_lambda (xs: []i32): []i32 = map (\x -> assert (x > 0) x * 2) xs

entry beside (x: i32): (i32, i32) = (assert (x > 0) x, 2)
