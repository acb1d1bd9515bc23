def nothing = -1
