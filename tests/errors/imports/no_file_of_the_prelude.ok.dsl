import "/prelude/soacs"
entry main = 1i32
