type~ opt = #some ([]i64) | #none
def apply (f: i64 -> opt) (x: i64): opt = f x
entry main (n: i64): i64 =
  match apply (\y -> #some (iota y)) n
  case #some xs -> length xs
  case #none -> 0
