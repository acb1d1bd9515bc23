def swap 'a 'b (x: a, y: b): (b, a) = (y, x)
