def f (o: #some i32 | #none): i32 =
  match o
  case #some _y -> _y
  case #none -> 0
