module m (num: numeric) = {
  type pair = (number.t, num.t)
}

module n = m i32

entry main (p: n.pair) = p.0
