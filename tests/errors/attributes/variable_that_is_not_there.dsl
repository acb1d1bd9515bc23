entry main (x: i32) = #[trace($y)] x
