def first 'a (x: a): a = x
