entry main (n: i64): i64 = #[unroll] loop s = n for i < 4 do s + i
