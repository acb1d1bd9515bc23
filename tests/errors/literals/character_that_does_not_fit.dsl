def f: i32 = 'ab'
