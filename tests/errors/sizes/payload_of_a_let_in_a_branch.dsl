type~ res = #ok ([]f64) | #err i64

def first [n] (xs: [n]f64) (k: i64): res =
  if k < 0 then #err k else let m = i64.min k n in #ok (take m xs)
