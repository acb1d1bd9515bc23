def nothing = #none
