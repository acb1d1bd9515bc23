entry main (x: double): double = x
