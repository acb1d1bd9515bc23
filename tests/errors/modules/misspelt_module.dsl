open f46

def root (x: f64): f64 = sqrt x
