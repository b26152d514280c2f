// left as it is: its time cannot be estimated: a thread of it runs for too long here; give smaller sizes with --set
