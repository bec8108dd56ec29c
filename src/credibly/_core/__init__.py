"""What every layer needs: errors, registries, parameters, results.

- **Findings** carry every caveat (code, severity, message, what to do) with the result, so that they reach
  the terminal, the JSON and the notebook alike. Python warnings are not used for this.
- **Arguments** are checked where a function can say most about them. Where one that its signature rules out
  ends in another error, `_core/doors.py` reads the hints and says which it is: a public function is a
  `@door`. `tests/every/test_arguments.py` tries every argument of every verb.
- **Names are data.** `visible` in `_core/text.py` (and `shownText` on the analyser's page) is the one place
  that writes them: what would steer a terminal or a page is escaped, and words that run from right to left
  are isolated, so that they do not reverse the numbers beside them. Results print themselves
  through it (`Printed`), and so do commands, reports and specifications of pictures.
"""
