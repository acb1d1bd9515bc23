module m: { val same 'a: a -> a } = { def same (x: i32): i32 = x }
