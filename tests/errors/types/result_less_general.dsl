def first 'a (x: a): i32 = x
