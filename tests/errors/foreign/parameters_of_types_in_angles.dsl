def id<t> (x: t): t = x
