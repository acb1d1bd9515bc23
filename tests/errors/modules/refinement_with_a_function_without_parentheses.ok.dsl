module type s = { type^ t val f: t }
module type r = s with t = (i32 -> i32)
