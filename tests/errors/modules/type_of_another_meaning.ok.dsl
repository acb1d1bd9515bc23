module m: { type t = i64 } = { type t = i64 }
