entry main (xs: []i32): bool = all xs
