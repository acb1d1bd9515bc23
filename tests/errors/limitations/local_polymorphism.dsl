entry main (x: i32): i32 = let id 'a (y: a) = y in id x
