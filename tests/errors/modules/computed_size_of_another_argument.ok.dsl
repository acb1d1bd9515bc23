module type t = { val f: i64 -> i64 val g: (n: i64) -> [f (n + 1)]i32 }
module m: t = { def f (n: i64) = n def g (n: i64) = replicate (f (n + 1)) 1i32 }
