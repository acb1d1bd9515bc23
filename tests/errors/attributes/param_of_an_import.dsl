#[param(bits)] import "sorts"
entry main (xs: []i32): []i32 = radix_sort_int 32 i32.get_bit xs
