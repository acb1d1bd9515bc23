module type s = { type^ t val f: t }
module m: s with t = i64 -> []i64 = { type^ t = i64 -> []i64 def f = iota }
