def twist f = f f
