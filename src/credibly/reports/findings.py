"""What a report cannot show, and why."""

from credibly._core.findings import finding

NO_COMPARISON = finding("no-comparison", "note", "The models cannot be compared: {error}")
NO_DECISION = finding("no-decision", "note", "No decision can be judged: {error}")
NO_PARTS = finding("no-parts", "note", "The loss cannot be taken apart: {error}")
NO_PICTURE = finding("no-picture", "note", "A picture cannot be drawn: {error}")
