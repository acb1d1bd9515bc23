def f (x: (bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool, bool)): i32 =
  match x
  case (true, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _) -> 0
  case (_, true, _, _, _, _, _, _, _, _, _, _, _, _, _, _) -> 1
  case (_, _, true, _, _, _, _, _, _, _, _, _, _, _, _, _) -> 2
  case (_, _, _, true, _, _, _, _, _, _, _, _, _, _, _, _) -> 3
  case (_, _, _, _, true, _, _, _, _, _, _, _, _, _, _, _) -> 4
  case (_, _, _, _, _, true, _, _, _, _, _, _, _, _, _, _) -> 5
  case (_, _, _, _, _, _, true, _, _, _, _, _, _, _, _, _) -> 6
  case (_, _, _, _, _, _, _, true, _, _, _, _, _, _, _, _) -> 7
  case (_, _, _, _, _, _, _, _, true, _, _, _, _, _, _, _) -> 8
  case (_, _, _, _, _, _, _, _, _, true, _, _, _, _, _, _) -> 9
  case (_, _, _, _, _, _, _, _, _, _, true, _, _, _, _, _) -> 10
  case (_, _, _, _, _, _, _, _, _, _, _, true, _, _, _, _) -> 11
  case (_, _, _, _, _, _, _, _, _, _, _, _, true, _, _, _) -> 12
  case (_, _, _, _, _, _, _, _, _, _, _, _, _, true, _, _) -> 13
  case (_, _, _, _, _, _, _, _, _, _, _, _, _, _, true, _) -> 14
  case (_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, true) -> 15
  case (false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false) -> 16
