def same (r: {f: i32 -> i32, x: i32}) = r == r
