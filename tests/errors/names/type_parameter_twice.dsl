def f 'a 'a (x: a) = x
