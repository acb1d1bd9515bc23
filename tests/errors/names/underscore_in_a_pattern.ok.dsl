def f (o: #some i32 | #none): i32 =
  match o
  case #some y -> y
  case #none -> 0
