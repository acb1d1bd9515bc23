-- The sum of all even numbers.
def even (x: i32): bool = x % 2 == 0

entry main [n] (xs: [n]i32): i32 =
  let evens = filter even xs
  in reduce (+) 0 evens
