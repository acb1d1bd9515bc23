entry main = "text"
