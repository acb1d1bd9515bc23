def grow [d] (_: [d]f64) (b: [d + 1]f64): [d + 1]f64 = b
def f [n] (a: [n]f64) (b: []f64) = loop c = a for _i < 1i32 do grow c b
