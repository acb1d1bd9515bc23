type opt = #none | #some i32
type t = #foo opt | #bar

entry main (n: i32): i32 =
  match ((if n > 0 then #foo (#some n) else #bar) : t)
  case #bar -> 0
  case #foo (#some 5) -> 1
