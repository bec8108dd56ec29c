"""Results of tests: JUnit XML, and the reports of pytest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from credibly._core.text import count
from credibly.errors import DataError
from credibly.io._declare import log_reader
from credibly.io._files import chunks, read_head
from credibly.io._logs import (
    MAX_CASES,
    UNFINISHED_REMEDY,
    LogRow,
    ScoredLog,
    json_objects,
    json_value,
    refuse_duplicates,
)
from credibly.io.findings import TESTS_WITH_ERRORS

MAX_BYTES = 1_000_000_000
MAX_DEPTH = 100  # elements within each other
PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
ELEMENT_OUTCOMES = {"failure": FAILED, "error": ERROR, "skipped": SKIPPED}
# Of programs that say it in an attribute, as googletest does of tests that it did not run.
ATTRIBUTE_OUTCOMES = {
    **dict.fromkeys(("notrun", "suppressed", "skipped", "disabled"), SKIPPED),
    **dict.fromkeys(("failed", "fail"), FAILED),
}
OUTCOME_VALUES = {
    PASSED: 1.0,
    FAILED: 0.0,
    ERROR: 0.0,
    SKIPPED: math.nan,
    "xfailed": math.nan,
    "xpassed": math.nan,
}


def is_report_log(head: bytes) -> bool:
    """Whether a file starts as the JSON lines of pytest-reportlog do."""
    return b'"$report_type"' in head.partition(b"\n")[0]


@log_reader("JUnit XML", begins=(b"<",), holds=(b"<testsuite",))
def junit_xml(path: Path) -> list[ScoredLog]:
    r"""Results of tests in JUnit's XML (``pytest --junit-xml``): a test is a case, passed or failed.

    A skipped test has no outcome. Entities are not read. Tests of the same name are distinguished
    by their suite. pytest writes a test twice if it failed and its clean-up ended in an error.

    >>> file = folder / "results.xml"
    >>> _ = file.write_text('<testsuites><testsuite name="unit"><testcase classname="a" name="b"/>'
    ...     '<testcase classname="a" name="c"><failure message="no"/></testcase></testsuite></testsuites>')
    >>> p = read(file)
    >>> p.outcome.tolist(), p.row.tolist()
    ([1.0, 0.0], ['a::b', 'a::c'])
    """
    tests = _TestCases(path).read()
    failed = {(suite, case) for suite, case, how in tests if how == FAILED}
    tests = [t for t in tests if t[2] != ERROR or t[:2] not in failed]
    often = Counter(case for _, case in {t[:2] for t in tests})
    several = any(n > 1 for n in often.values())
    return [
        _log(path, ((f"{suite}/{case}" if several else case, how) for suite, case, how in tests))
    ]


@log_reader("Report log of pytest", begins=(b"{",), recognise=is_report_log)
def pytest_reportlog(path: Path) -> list[ScoredLog]:
    r"""Results of tests as pytest-reportlog writes them, one JSON object per line: one passed if none of its phases failed.

    >>> file = folder / "log.jsonl"
    >>> line = '{"$report_type": "TestReport", "nodeid": "test_a.py::%s", "when": "call", "outcome": "%s"}\n'
    >>> _ = file.write_text(line % ("b", "passed") + line % ("c", "failed"))
    >>> read(file).outcome.tolist()
    [1.0, 0.0]
    """
    found: dict[str, str] = {}
    for line in json_objects(path):
        if line.get("$report_type") != "TestReport" or "nodeid" not in line:
            continue
        case, outcome, when = str(line["nodeid"]), str(line.get("outcome")), line.get("when")
        if when == "call":
            found[case] = outcome if found.get(case) != ERROR else ERROR
        elif outcome == FAILED:
            found[case] = ERROR
        elif outcome == SKIPPED:
            found[case] = SKIPPED
    return [_log(path, iter(found.items()))]


@log_reader(
    "JSON report of pytest", begins=(b"{",), holds=(b'"exitcode"', b'"created"', b'"summary"')
)
def pytest_json_report(path: Path) -> list[ScoredLog]:
    r"""Results of tests as pytest-json-report writes them.

    >>> file = folder / "report.json"
    >>> _ = file.write_text('{"created": 1.5, "exitcode": 1, "summary": {}, "tests": '
    ...     '[{"nodeid": "t.py::a", "outcome": "passed"}, {"nodeid": "t.py::b", "outcome": "failed"}]}')
    >>> read(file).outcome.tolist()
    [1.0, 0.0]
    """
    report = json_value(read_head(path, MAX_BYTES), path.name, cut=UNFINISHED_REMEDY)
    tests: Any = report.get("tests") if isinstance(report, Mapping) else None
    if not isinstance(tests, list):
        raise DataError(f"{path.name} holds no list of tests.")
    each = (t for t in tests if isinstance(t, Mapping) and "nodeid" in t)
    return [_log(path, ((str(t["nodeid"]), str(t.get("outcome"))) for t in each))]


def _log(path: Path, found: Iterator[tuple[str, str]]) -> ScoredLog:
    log = ScoredLog("tests", None, better={"passed": True})
    errors = 0
    for case, outcome in found:
        errors += outcome == ERROR
        log.add(LogRow(case, {"passed": OUTCOME_VALUES.get(outcome, math.nan)}))
    if errors:
        log.said.append(TESTS_WITH_ERRORS(tests=count(errors, "test")))
    refuse_duplicates(path.name, log)
    return log


class _TestCases:
    """Test cases of XML, read in pieces; a document type, and so any entity, is refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[tuple[str, str, str]] = []
        self.suites: list[str] = []
        self.depth = 0
        self.case: str | None = None
        self.outcome = PASSED

    def read(self) -> list[tuple[str, str, str]]:
        """Return the suite, the name and the outcome of each test."""
        from xml.parsers import expat  # which no other file needs

        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        size = 0
        try:
            for chunk in chunks(self.path):
                size += len(chunk)
                if size > MAX_BYTES:
                    raise DataError(f"{self.path.name} holds more than {MAX_BYTES:,} bytes.")
                parser.Parse(chunk, False)  # noqa: FBT003
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError as error:
            why = expat.errors.messages.get(error.code, str(error))
            raise DataError(
                f"{self.path.name}, line {error.lineno}: this is not XML, or it was cut off: {why}."
            ) from None
        return self.found

    def _doctype(self, *_: object) -> None:
        raise DataError(
            f"{self.path.name} declares a document type, which results of tests do not need; it is not read."
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise DataError(f"{self.path.name} holds elements nested deeper than {MAX_DEPTH}.")
        if tag == "testcase":
            if len(self.found) >= MAX_CASES:
                raise DataError(f"{self.path.name} holds more than {MAX_CASES:,} tests.")
            place = attributes.get("classname") or attributes.get("file")
            name = attributes.get("name", "")
            self.case = f"{place}::{name}" if place else name
            told = (attributes.get(a, "").lower() for a in ("status", "result"))
            self.outcome = next(
                (ATTRIBUTE_OUTCOMES[t] for t in told if t in ATTRIBUTE_OUTCOMES), PASSED
            )
        elif tag == "testsuite":
            self.suites.append(attributes.get("name", ""))
        elif self.case is not None and tag in ELEMENT_OUTCOMES and self.outcome != ERROR:
            self.outcome = ELEMENT_OUTCOMES[tag]

    def _end(self, tag: str) -> None:
        self.depth -= 1
        if tag == "testcase" and self.case is not None:
            self.found.append((self.suites[-1] if self.suites else "", self.case, self.outcome))
            self.case = None
        elif tag == "testsuite":
            self.suites.pop()
