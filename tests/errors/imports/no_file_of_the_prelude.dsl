import "/prelude/soac"
entry main = 1i32
