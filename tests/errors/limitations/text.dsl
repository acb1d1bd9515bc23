def greeting = "hello"
