def height (r: {width: f32, height: f32}) = r.heigth
