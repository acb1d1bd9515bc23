entry main (x: bool) (y: bool): bool =
  not x && y
