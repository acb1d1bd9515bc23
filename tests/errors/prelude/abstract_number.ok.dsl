module twice (N: numeric) = { def of (x: N.t): N.t = x N.+ N.i32 1 }
