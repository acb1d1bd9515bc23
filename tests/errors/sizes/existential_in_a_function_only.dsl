def run (f: i64 -> ?[k].([k]i32 -> i32)): i32 = 1
