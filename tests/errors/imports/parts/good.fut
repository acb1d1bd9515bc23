def one: i32 = 1
local def two: i32 = 2
