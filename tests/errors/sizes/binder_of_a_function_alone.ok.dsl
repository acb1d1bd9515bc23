def f (g: []i32) = let [n] (h: [n]i32) = g in n
