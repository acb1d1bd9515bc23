def xs (rs: []{x: i32, y: i32}) = map (.z) rs
