"""Draw the README's picture: what `credibly demo` prints, as a terminal shows it.

Run from the repository: python scripts/make_pictures.py
"""

import io
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).parent.parent / "docs" / "images" / "demo.svg"
COLOURS = {r"^problem:": "bold red", r"^(What it means|Next)$": "bold", r"^measure .*$": "bold"}


def main():
    command = "from credibly.cli import main; main(['demo'])"
    printed = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    ).stdout
    text = Text(printed)
    for pattern, style in COLOURS.items():
        for found in re.finditer(pattern, printed, re.MULTILINE):
            text.stylize(style, *found.span())
    console = Console(record=True, width=132, file=io.StringIO())
    console.print(text)
    drawn = console.export_svg(title="credibly demo")
    # The fonts would be fetched from elsewhere; any monospaced one will do.
    TARGET.write_text(re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL))


if __name__ == "__main__":
    main()
