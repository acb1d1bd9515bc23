def twist f = f 1
