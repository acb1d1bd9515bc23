def f (b: bool) =
  let (n, _) = (if b then 10i64 else 20, b)
  in \(xs: [n]bool) -> xs[0]
