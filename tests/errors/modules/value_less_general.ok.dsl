module m: { val same 'a: a -> a } = { def same 'b (x: b): b = x }
