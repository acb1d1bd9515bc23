def norm (v: [3]f64): f64 = f64.sqrt (reduce (+) 0 (map (** 2) v))
