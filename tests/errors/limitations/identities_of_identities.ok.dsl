def f (x: i64) = id id id id id id id id id id x
