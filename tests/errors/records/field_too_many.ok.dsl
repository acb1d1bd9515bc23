def origin: {x: i32} = {x = 0}
