def f (x: i32) = x + 1
-- And nothing else.
