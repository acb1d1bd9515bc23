def id 't (x: t) = x
