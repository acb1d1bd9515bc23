def second (xs: *[]i64) =
  let r = {first = {values = copy xs}, second = xs}
  let r.first.values[0] = 1
  in r.second
