type node = #leaf | #node i64 i64
type tree [n] = [n]node
