type both 'a = (a, a)

def swap (p: both): both = (p.1, p.0)
