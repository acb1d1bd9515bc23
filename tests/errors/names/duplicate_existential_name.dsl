type^ numbers = (n: i64) -> ?[n].[n]i32
