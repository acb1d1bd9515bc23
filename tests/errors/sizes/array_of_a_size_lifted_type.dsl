type~ text = []u8

def longest (lines: []text): i64 = i64.maximum (map (\line -> length line) lines)

entry main (line: []u8): i64 = length line
