type^ number = i32

def main (xs: []number) = 1i32
