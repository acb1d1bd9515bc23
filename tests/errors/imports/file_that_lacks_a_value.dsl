module m: { val three: i32 } = import "parts/good"
