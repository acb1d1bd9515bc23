def id (x: 't) = x
