def f0 'a (x: a) = (x, x)
def f1 'a (x: a) = f0 (f0 x)
def f2 'a (x: a) = f1 (f1 x)
def f3 'a (x: a) = f2 (f2 x)
entry main (x: i32): i32 =
  let y = f2 (f3 x)
  in x
