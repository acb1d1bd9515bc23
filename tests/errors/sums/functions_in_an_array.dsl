def f (g: i32 -> i32): [](#f (i32 -> i32) | #none) = [#f g]
