module m: { type t [n] } = { type t [n] = [n]i32 }
