type text [n] = [n]u8

def longest [n] (lines: [](text [n])): i64 = i64.maximum (map (\line -> length line) lines)

entry main (line: []u8): i64 = length line
