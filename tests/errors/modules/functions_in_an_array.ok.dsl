module m: { type t val id: t } = { type t = (i32, i32) def id: t = (1, 2) }

def f = [m.id]
