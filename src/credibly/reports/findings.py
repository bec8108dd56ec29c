"""What a report cannot show, and why."""

from credibly._core.findings import note

NO_COMPARISON = note("no-comparison", "The models cannot be compared: {error}")
NO_DECISION = note("no-decision", "No decision can be judged: {error}")
NO_PARTS = note("no-parts", "The loss cannot be decomposed: {error}")
NO_DETAIL = note("no-detail", "{title} cannot be shown: {error}")
NO_PICTURE = note("no-picture", "A picture cannot be drawn: {error}")
