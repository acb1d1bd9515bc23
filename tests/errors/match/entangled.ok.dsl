type place = #a | #b | #c | #d | #e | #f | #g
def f (x: (place, place, place, place, place, place, place, place)): bool =
  match x
  case (#a, #a, _, _, _, _, _, _) -> true
  case (#b, #b, _, _, _, _, _, _) -> true
  case (#c, #c, _, _, _, _, _, _) -> true
  case (#d, #d, _, _, _, _, _, _) -> true
  case (#e, #e, _, _, _, _, _, _) -> true
  case (#f, #f, _, _, _, _, _, _) -> true
  case (#g, #g, _, _, _, _, _, _) -> true
  case (#a, _, #a, _, _, _, _, _) -> true
  case (#b, _, #b, _, _, _, _, _) -> true
  case (#c, _, #c, _, _, _, _, _) -> true
  case (#d, _, #d, _, _, _, _, _) -> true
  case (#e, _, #e, _, _, _, _, _) -> true
  case (#f, _, #f, _, _, _, _, _) -> true
  case (#g, _, #g, _, _, _, _, _) -> true
  case (#a, _, _, #a, _, _, _, _) -> true
  case (#b, _, _, #b, _, _, _, _) -> true
  case (#c, _, _, #c, _, _, _, _) -> true
  case _ -> false
