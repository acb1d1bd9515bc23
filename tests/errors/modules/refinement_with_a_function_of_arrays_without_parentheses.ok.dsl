module type s = { type^ t val f: t }
module m: s with t = (i64 -> ?[n].[n]i64) = { type^ t = i64 -> ?[n].[n]i64 def f: t = \n -> iota n }
