entry main (xs: []i32): []i32 = #[sequentail] map (+ 1) xs
