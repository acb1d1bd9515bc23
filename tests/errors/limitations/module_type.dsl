module type shape = { val area: f64 -> f64 }
