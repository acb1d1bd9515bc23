entry main (x: #some i32 | #none): bool = x == #none
