type size = i64
entry main (x: size): size = x * #[param(tile)] 16
