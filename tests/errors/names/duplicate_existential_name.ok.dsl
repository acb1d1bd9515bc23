type^ numbers = (m: i64) -> ?[n].[n]i32
