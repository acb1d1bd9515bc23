module type m = {val f [n]: [n]i32 -> [(\k -> 2 * k) n]i32}
