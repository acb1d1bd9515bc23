-- | One more.
def f (x: i32) =
  -- One more.
  x + 1
