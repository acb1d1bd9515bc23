entry main (price: f64): f64 =
  let discount = 0.1 * price
  in price - discount
