"""What is wrong with an entry whose values load all the same: the rows of the table `problems`, and `culdesac check`.

Every finding has a code that stays; `CODES` says what each means, and docs/checks.md is made from it.
"""

from __future__ import annotations

from culdesac.ingest.checks.across import check_across
from culdesac.ingest.checks.codes import CODES, CheckOptions, Code, Problem, Severity
from culdesac.ingest.checks.entry import check_entry

__all__ = ["CODES", "CheckOptions", "Code", "Problem", "Severity", "check_across", "check_entry"]
