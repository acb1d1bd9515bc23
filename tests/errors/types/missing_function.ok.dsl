entry main (xs: []i32): bool = all (> 0) xs
