entry main (n: i64): []f64 = np.zeros(n)
