def letter = 'a
