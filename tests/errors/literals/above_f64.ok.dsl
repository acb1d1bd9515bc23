def f = f64.inf
