type~ res = #ok ([]f64) | #err i64

def positive [n] (xs: [n]f64) (k: i64): res =
  let ys = filter (> 0) xs in if k < 0 then #err k else #ok ys
