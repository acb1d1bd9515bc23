def twice '^a (f: a -> a) (x: a) = f (f x)
entry main (x: i32): i32 = twice twice twice twice twice (+ 1) x
