module type sums = { val sum [n]: [n]i32 -> i32 }
