"""`/openapi.json` against the site: schemathesis asks every operation with what it allows and with what it forbids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from culdesac.plugins.web.openapi import describe
from culdesac.plugins.web.options import Options
from tests.needs import missing
from tests.sites import Site

try:
    import schemathesis
except ImportError:

    def test_the_api_is_what_its_description_says() -> None:
        missing("schemathesis isn't installed: pip install -e '.[dev]'")

else:
    #: The application that is asked: the schema's tests are made before there is one.
    _app: list[Any] = []

    async def _ask(scope: dict[str, Any], receive: Any, send: Any) -> None:
        # Each case would start and shut down the site, which Datasette 1.0 can't start again.
        if scope["type"] == "http":
            await _app[0](scope, receive, send)
            return
        while (message := await receive())["type"].startswith("lifespan."):
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    _described = schemathesis.openapi.from_dict(describe(Options(), "/"))
    _described.app = _ask

    @pytest.fixture(scope="module")
    def site(sample_db: Path) -> Iterator[Site]:
        """The sample's site."""
        found = Site(sample_db)
        found.run(found.datasette.invoke_startup())
        _app[:] = [found.datasette.app()]
        yield found
        found.close()

    def test_the_description_is_the_sites(site: Site) -> None:
        assert site.get("/openapi.json").json() == json.loads(json.dumps(_described.raw_schema))

    @_described.parametrize()
    @settings(max_examples=8, suppress_health_check=list(HealthCheck))
    def test_the_api_is_what_its_description_says(site: Site, case: Any) -> None:
        case.call_and_validate()
