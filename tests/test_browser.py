"""Readers' ways through the site in a real browser, headless Chromium; axe-core looks at every page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.needs import missing, program

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
HUB = "networking/connection-timeout/tcp-linux"
#: One of each kind of page, and in Chinese.
PAGES = (
    "?lang=en",
    "?lang=zh",
    "search",
    "search?q=connection+timed+out+payment+card&os=linux",
    "search?q=%E6%98%BE%E5%AD%98%E4%B8%8D%E8%B6%B3&lang=zh",
    "search?q=zxqzxq",
    "search?domain=python",
    "search?q=quantum+toaster+flux+capacitor+misaligned+on+tuesday",
    f"entry/{HUB}",
    "entry/medical/ehic-non-eu-ineligible",
    "entry/pytorch/cuda-out-of-memory-training?lang=zh",
    "entry/no/such",
    "nosuch?lang=zh",
    "overview",
    "overview?lang=zh",
)
_SERVE = """
import sys
from pathlib import Path
from culdesac.plugins.web.serve import serve
serve(Path(sys.argv[1]), port=0, ready=lambda address: print(address, flush=True))
"""


@pytest.fixture(scope="module")
def address(corpus_db: Path) -> Iterator[str]:
    """The address of a site of the whole corpus, in a process of its own."""
    command = [sys.executable, "-c", _SERVE, str(corpus_db)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
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
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})  # type: ignore[no-untyped-call]
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_page_load_timeout(60)
    driver.implicitly_wait(10)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def browser(chromium: Any) -> Any:
    """Chromium as it starts: a wide page, light, nothing said yet."""
    _emulate(chromium)
    chromium.delete_all_cookies()
    chromium.get_log("browser")
    return chromium


def _until(browser: Any, happened: Callable[[Any], bool]) -> None:
    """Wait for what a page's script does when it gets round to it."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 10).until(happened)


def _emulate(browser: Any, width: int = 1200, dark: bool = False) -> None:
    screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def _complaints(browser: Any) -> list[str]:
    """What the console says: a broken rule of the page's policy, a file that didn't load, a script that failed."""
    return [line["message"] for line in browser.get_log("browser") if "favicon" not in line["message"]]


def test_a_pasted_log_leads_to_the_entry_in_chinese_and_its_json(browser: Any, address: str) -> None:
    browser.get(f"{address}?lang=en")
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
    assert _complaints(browser) == []
    assert browser.get_cookies() == []


def test_two_facets_narrow_and_come_off(browser: Any, address: str) -> None:
    def count() -> int:
        return int(browser.find_element("id", "found").text.partition(" ")[0])

    browser.get(f"{address}search?q=connection+timed+out+payment+card")
    whole = count()
    browser.find_element("css selector", ".facets a[href*='resolvable=true']").click()
    browser.find_element("css selector", ".facets a[href*='os=linux']").click()
    assert "resolvable=true" in browser.current_url
    assert "os=linux" in browser.current_url
    assert 0 < count() <= whole
    assert len(browser.find_elements("css selector", ".chosen a")) == 2
    browser.find_element("css selector", ".chosen a").click()
    browser.find_element("css selector", ".chosen a").click()
    assert count() == whole


def _menu(browser: Any) -> set[str]:
    """The lines of the open menu of a column."""
    return {line.text for line in browser.find_elements("css selector", ".dropdown-menu li a") if line.is_displayed()}


def test_the_menu_of_a_column_is_in_the_language_of_the_page(browser: Any, address: str) -> None:
    for lang, said in (
        ("zh", ["升序排列", "降序排列", "隐藏此列"]),
        ("en", ["Sort ascending", "Sort descending", "Hide this column"]),
    ):
        browser.get(f"{address}errors/entries?_lang={lang}")
        browser.find_element("css selector", "th.col-signature .dropdown-menu-icon").click()
        _until(browser, lambda driver, said=said: {*said} <= _menu(driver))
    assert _complaints(browser) == []


def test_a_workaround_is_copied(browser: Any, address: str) -> None:
    browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    browser.get(f"{address}entry/{HUB}")
    block = browser.find_element("css selector", ".workarounds .copyable")
    button = block.find_element("css selector", "button.copy")
    assert button.text == "Copy"
    button.click()
    browser.find_element("xpath", "//button[text()='Copied']")
    copied = browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    # What its author wrote, not what it looks like.
    assert copied == block.find_element("css selector", "[data-text]").get_attribute("data-text")
    assert copied.startswith("1. ")
    assert _complaints(browser) == []


def test_the_keyboard_is_enough(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    def press(*keys: str) -> Any:
        browser.switch_to.active_element.send_keys(*keys)
        return browser.switch_to.active_element

    # The box has the focus; Shift and Enter make a line, Enter searches.
    browser.get(f"{address}?lang=en")
    press("Connection timed out", Keys.SHIFT + Keys.ENTER, "ETIMEDOUT")
    press(Keys.NULL, Keys.ENTER)
    browser.find_element("id", "found")
    assert "%0D%0AETIMEDOUT" in browser.current_url or "%0AETIMEDOUT" in browser.current_url

    # The first stop of a page leads past the navigation; from there the results are reached one by one.
    browser.execute_script("document.activeElement.blur()")
    first = browser.find_element("css selector", "body")
    first.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("class") == "skip"
    press(Keys.ENTER)
    for _ in range(80):
        here = press(Keys.TAB)
        if browser.execute_script("return arguments[0].matches('.result a')", here):
            break
    else:
        pytest.fail("no result in 80 stops")
    outline = browser.execute_script("return getComputedStyle(arguments[0]).outlineStyle", here)
    assert outline == "solid"
    press(Keys.ENTER)
    assert browser.find_element("css selector", "article h1")
    assert "/entry/" in browser.current_url


def test_the_picture_of_the_graph_is_walked_by_keyboard(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.get(f"{address}entry/{HUB}")
    # The last stop before the picture.
    browser.execute_script(
        "[...document.querySelectorAll('#graph .main :is(a, summary)')].filter(n => n.checkVisibility()).at(-1).focus()"
    )
    browser.switch_to.active_element.send_keys(Keys.TAB)
    here = browser.switch_to.active_element
    assert browser.execute_script("return arguments[0].matches('#graph svg a')", here)
    width = "return getComputedStyle(arguments[0].querySelector('rect')).strokeWidth"
    assert browser.execute_script(width, here) == "3px"
    name = here.accessible_name
    here.send_keys(Keys.ENTER)
    assert browser.current_url.rpartition("/entry/")[2] in name
    assert browser.find_element("css selector", "article h1").text in name


def test_filters_open_when_a_narrow_page_becomes_wide(browser: Any, address: str) -> None:
    def opened() -> bool:
        return bool(browser.execute_script("return document.querySelector('details.fold').open"))

    _emulate(browser, width=390)
    browser.get(f"{address}search?q=connection+timed+out")
    assert not opened()
    _emulate(browser, width=1200)
    _until(browser, lambda _: opened())


@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_a_phone(browser: Any, address: str, path: str) -> None:
    _emulate(browser, width=390)
    browser.get(address + path)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390


#: What a thumb must hit: the page's navigation, its box, its filters, its pages, its buttons.
CONTROLS = ".top a, .box button, select, .pages > *, .fold > summary, .chosen a, .copy, .more a, .entry header nav a"
_SMALL = """
return [...document.querySelectorAll(arguments[0])].filter(node => node.checkVisibility())
  .map(node => [node.outerHTML.slice(0, 80), node.getBoundingClientRect().height]).filter(([, height]) => height < 44)
"""


@pytest.mark.parametrize("path", PAGES)
def test_a_thumb_hits_the_controls(browser: Any, address: str, path: str) -> None:
    _emulate(browser, width=390)
    browser.get(address + path)
    assert browser.execute_script(_SMALL, CONTROLS) == []


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, as npm has it."""
    folder = tmp_path_factory.mktemp("axe")
    command = [program("npm"), "pack", "axe-core@4", "--silent"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=120)
    archives = list(folder.glob("axe-core-*.tgz"))
    if done.returncode or not archives:
        missing("no npm registry to fetch axe-core from")
    with tarfile.open(archives[0]) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(browser: Any, address: str, axe: str, path: str, dark: bool) -> None:
    for width in (1200, 390):
        _emulate(browser, width, dark)
        browser.get(address + path)
        # What is folded is part of the page.
        browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
        browser.execute_script(axe)
        rules = "{rules: {'target-size': {enabled: true}}}"
        found = browser.execute_async_script(f"axe.run({rules}).then(arguments[0])")
        assert found["passes"]
        serious = {
            f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary'][:300]}"
            for one in found["violations"]
            if one["impact"] in ("moderate", "serious", "critical")
        }
        assert serious == set()
