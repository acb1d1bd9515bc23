type vector = [3]f64

def norm (v: vector): f64 = f64.sqrt (reduce (+) 0 (map (** 2) v))
