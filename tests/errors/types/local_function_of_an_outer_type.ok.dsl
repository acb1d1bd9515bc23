def second 'a (x: a): a =
  let take 'b (_: b) (y: a): a = y
  in take true x

entry main (x: i32): i32 = second x
