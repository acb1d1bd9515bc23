def f = 'a'
