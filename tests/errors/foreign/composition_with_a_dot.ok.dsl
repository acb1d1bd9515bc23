entry main (x: f64): f64 = (f64.abs >-> f64.sqrt) x
