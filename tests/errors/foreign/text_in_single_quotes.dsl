entry main = 'text'
