entry main (a: i32) = {x: a, y: a}
