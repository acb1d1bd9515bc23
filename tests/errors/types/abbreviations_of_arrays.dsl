type mat [n] 't = [n][n]t
type point = {x: f64, y: f64}
type pair 'a 'b = (a, b)

def trace_of [n] (m: mat [n] f64): f64 = f64.sum (tabulate n (\i -> m[i, i]))
def written [n] (m: [n][n]f64): f64 = trace_of (m, m)
def shadowed 'point (p: point) (q: {x: f64, y: f64}): [2]point = [p, q]

entry main [n] (m: mat [n] f64): f64 =
  let (p, q): pair (mat [n] f64) (mat [n] f64) = m
  in trace_of p + trace_of q
