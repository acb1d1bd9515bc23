import "sorts"
entry main (xs: []i32): []i32 = radix_sort_int (i32.i64 (#[param(bits)] 32)) i32.get_bit xs
