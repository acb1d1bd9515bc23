def first 'a (x: a) (y: a): a = x
