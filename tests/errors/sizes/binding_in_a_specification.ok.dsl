module type m = {val f [n]: [n]i32 -> [2 * n]i32}
