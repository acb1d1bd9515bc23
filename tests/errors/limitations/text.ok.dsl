def greeting = [104, 101, 108, 108, 111]
