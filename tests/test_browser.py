"""A reader's way through the site in a real browser: one journey, in headless Chromium."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needs import missing

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
LOG = """Epoch 1/3
Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss.backward()
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity)
"""
_SERVE = """
import sys
from pathlib import Path
from culdesac.plugins.web.serve import serve
serve(Path(sys.argv[1]), port=0, ready=lambda address: print(address, flush=True))
"""


@pytest.fixture
def address(sample_db: Path) -> Iterator[str]:
    """The address of a site in a process of its own."""
    command = [sys.executable, "-c", _SERVE, str(sample_db)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    """Chromium, with a profile of its own."""
    if not (os.path.exists(CHROMIUM) and os.path.exists(DRIVER)):
        missing(f"no {CHROMIUM} and {DRIVER}: apt-get install chromium chromium-driver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        missing("selenium isn't installed: pip install selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})  # type: ignore[no-untyped-call]
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_page_load_timeout(60)
    driver.implicitly_wait(10)
    try:
        yield driver
    finally:
        driver.quit()


def test_a_pasted_log_leads_to_the_entry_in_chinese_and_its_json(browser: Any, address: str) -> None:
    browser.get(address)
    box = browser.find_element("css selector", "textarea[name=q]")
    assert box == browser.switch_to.active_element

    # Pasted, not typed: Enter would search.
    browser.execute_script("arguments[0].value = arguments[1]", box, LOG)
    browser.find_element("css selector", "#search button[type=submit]").click()
    first = browser.find_element("css selector", ".results .result h2 a")
    assert "/search?" in browser.current_url
    assert "out of memory" in first.text
    assert browser.find_elements("css selector", ".result mark")
    assert "line 88" in browser.find_element("css selector", "textarea[name=q]").get_attribute("value")

    first.click()
    assert browser.current_url == f"{address}entry/pytorch/cuda-out-of-memory-training"
    assert browser.find_element("css selector", "article h1").text.startswith("torch.cuda.OutOfMemoryError")

    browser.find_element("id", "other-language").click()
    assert browser.find_element("css selector", "html[lang=zh-CN]")
    assert "显存不足" in browser.find_element("css selector", "article").text

    browser.find_element("id", "as-json").click()
    document = json.loads(browser.find_element("css selector", "pre").text)
    assert document["id"] == "pytorch/cuda-out-of-memory-training"

    # Enter alone searches; nothing on the way broke a rule of the page's policy or failed to load.
    browser.get(f"{address}search?lang=zh")
    browser.find_element("css selector", "textarea[name=q]").send_keys("显存不足怎么办\n")
    assert browser.find_element("css selector", ".results .result h2 a").get_attribute("href").endswith("?lang=zh")
    assert [line["message"] for line in browser.get_log("browser") if "favicon" not in line["message"]] == []
    assert browser.get_cookies() == []


def test_pages_fit_a_phone(browser: Any, address: str) -> None:
    narrow = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    for path in ("", "search?q=CUDA+out+of+memory", "entry/pytorch/cuda-out-of-memory-training", "entry/no/such"):
        browser.get(address + path)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
