def main (xs: []i32) = loop (ys: *[]i32) = xs for _i < 3 do copy ys
