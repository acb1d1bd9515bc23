def f: i32 = 'a'
