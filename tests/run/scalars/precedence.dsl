-- The precedence of operators is that of the language reference.
-- ==
-- input { 2i32 3i32 4i32 }
-- output { 14i32 true 11i32 true 9i32 6i32 }

entry main (a: i32) (b: i32) (c: i32): (i32, bool, i32, bool, i32, i32) =
  ( a + b * c
  , a < b && b < c || false
  , c - a + b ** 2
  , a + b == 5 && !(c == 5)
  , -b ** 2
  , a |> (+ c)
  )
