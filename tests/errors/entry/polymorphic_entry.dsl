entry main 'a (x: a): a = x
