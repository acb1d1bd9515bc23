def origin: {x: i32, y: i32} = {x = 0}
