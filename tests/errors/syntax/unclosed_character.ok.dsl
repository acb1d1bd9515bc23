def letter = 97
