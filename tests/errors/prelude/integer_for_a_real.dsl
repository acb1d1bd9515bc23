module root (R: real) = { def of (x: R.t): R.t = R.sqrt x }
module root_of = root i32
