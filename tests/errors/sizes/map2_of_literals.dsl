def sums = map2 (+) [1, 2, 3] [4, 5]
