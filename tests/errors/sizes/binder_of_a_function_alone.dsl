def f (g: []i32 -> i32) = let [n] (h: [n]i32 -> i32) = g in n
