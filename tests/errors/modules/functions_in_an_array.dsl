module m: { type^ t val id: t } = { type^ t = i32 -> i32 def id: t = \x -> x }

def f = [m.id]
