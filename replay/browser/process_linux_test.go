package browser

// alive says whether a process of the group runs.
func alive(group int) bool { return groupAlive(group) }
