entry main [n] (xs: [n]i32): [n]i32 = loop ys = xs for i < 3 do concat ys [i]
