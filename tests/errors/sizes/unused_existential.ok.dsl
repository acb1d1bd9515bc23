def count (x: ?[k].[k]i32): i64 = length x
