def second 'a (x: a): a =
  let take 'b (_: b) (y: a): a = y
  in take x true

entry main (x: i32): i32 = second x
