entry main (xs: []i32): []i32 = #[sequential] map (+ 1) xs
