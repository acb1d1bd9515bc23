module type sums = { val sum: []i32 -> i32 }
