module m: { val one: i32 } = import "parts/good"
