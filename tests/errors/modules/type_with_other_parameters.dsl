module m: { type t 'a } = { type t [n] = [n]i32 }
