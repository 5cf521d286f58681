"""`/openapi.json` against the site: schemathesis asks every operation with what it allows and with what it forbids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.needs import missing
from tests.test_web import Site

try:
    import schemathesis
except ImportError:

    def test_the_api_is_what_its_description_says() -> None:
        missing("schemathesis isn't installed: pip install -e '.[dev]'")

else:

    @pytest.fixture(scope="module")
    def described(sample_db: Path) -> Iterator[Any]:
        """The description that the sample's site gives."""
        site = Site(sample_db)
        site.run(site.datasette.invoke_startup())
        yield schemathesis.openapi.from_asgi("/openapi.json", site.datasette.app())
        site.close()

    @schemathesis.pytest.from_fixture("described").parametrize()
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    def test_the_api_is_what_its_description_says(case: Any) -> None:
        case.call_and_validate()
