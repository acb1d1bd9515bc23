entry main (x: bool) (y: bool): bool =
  x || y
