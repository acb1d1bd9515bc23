def some (x: bool): #some bool | #none = #some x
