def f (xs: []i32) =
  let b = [filter (> 0) xs]
  let a = [] : [][]i32
  in a[0] == b[0]
