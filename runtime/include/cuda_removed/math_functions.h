// Stands in where the toolkit no longer has a header of this name; what it declared is there without it.
#pragma once
