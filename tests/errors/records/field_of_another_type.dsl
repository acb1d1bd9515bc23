def origin: {x: i32, y: bool} = {x = true, y = true}
