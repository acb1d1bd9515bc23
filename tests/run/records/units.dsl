-- The empty tuple, and arrays of it, which have only a size.
-- ==
-- entry: filtered
-- input { 5i64 } output { 5i64 }
-- entry: mapped
-- input { 3i64 } output { [2, 2, 2] }
-- entry: written
-- input { } output { 2i64 }
-- entry: unit_alone
-- input { 3 } output { }
-- entry: beside
-- input { } output { 1 }
-- entry: taken
-- input { 2 3 } output { 5 }
-- entry: of_units
-- input { 4i64 } output { 4i64 }
-- entry: witness
-- input { 3i64 } output { 6i64 9 }
-- entry: through_control
-- input { 7i64 } output { 2 }
-- input { 3i64 } output { 1 }
-- entry: reduced
-- input { 3i64 } output { true }

entry filtered (n: i64): i64 = length (filter (\_ -> true) (replicate n ()))

entry mapped (n: i64): []i32 = map (\() -> 2) (replicate n ())

entry written: i64 = length [(), ()]

entry unit_alone (_: i32) = ()

entry beside (): (i32, ()) = (1, ())

entry taken () (x: i32) ((), y: i32): i32 = x + y

entry of_units (n: i64): i64 =
  let xs: []((), {a: ()}) = map (\_ -> ((), {a = ()})) (iota n)
  in length xs

def with_witness (b: i64): ?[m].([m](), [m]i32 -> i32) =
  let m = b * 2
  in (replicate m (), \(xs: [m]i32) -> reduce (+) 0 xs)

entry witness (n: i64): (i64, i32) =
  let (w, sum) = with_witness n
  in (length w, sum (map (\() -> 3) w) / 2)

type choice = #unit () | #none

entry through_control (n: i64): i32 =
  let c = loop c = if n > 5 then #none else #unit () : choice for _i < n do
            match c
            case #unit () -> #unit ()
            case #none -> #none
  in match c
     case #unit () -> 1
     case #none -> 2

entry reduced (n: i64): bool =
  reduce (\() () -> ()) () (replicate n ()) == () && all (== ()) (replicate n ())
