module twice (N: numeric) = { def of (x: N.t): N.t = x N.+ 1 }
