entry main (d: *[]i32) (xs: []i32): []i32 = reduce_by_index d 0 [1] xs
