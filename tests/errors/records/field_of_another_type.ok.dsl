def origin: {x: i32, y: bool} = {x = 1, y = true}
