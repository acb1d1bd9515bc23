entry main (n: i64): i64 = #[unroll(4)] loop s = n for i < 4 do s + i
