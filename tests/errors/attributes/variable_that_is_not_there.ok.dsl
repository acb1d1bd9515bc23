entry main (x: i32) = #[trace($x)] x
