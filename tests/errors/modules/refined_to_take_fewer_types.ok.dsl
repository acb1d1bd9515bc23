module type two = { type^ t 'a }

module type pairs = two with t '^a = (a, a)
