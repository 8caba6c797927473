"""The documentation of `make docs` in a real browser, opened from the disk.

ATTLAS_SCREENSHOTS names a folder for pictures of the pages, to be looked at.
"""

import json
import os
import pathlib
import re
import urllib.parse

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

SITE = pathlib.Path(__file__).parents[2] / ".build/site/attlas"
PAGES = sorted(path.relative_to(SITE) for path in SITE.rglob("*.html") if path.name != "404.html")


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


def picture(browser, name):
    if folder := os.environ.get("ATTLAS_SCREENSHOTS"):
        browser.save_screenshot(f"{folder}/site-{name}.png")


def show(browser, page, scheme="light"):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get("about:blank")
    browser.get((SITE / page).as_uri())


def test_every_page_of_the_documentation_is_there():
    root = SITE.parents[2]
    for page in (root / "Documentation").glob("*.md"):
        assert pathlib.Path(f"Documentation/{page.stem}.html") in PAGES
    navigation = (root / "Documentation/site/mkdocs.yml").read_text()
    assert [page.name for page in (root / "Documentation").glob("*.md") if page.name not in navigation] == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_leads_somewhere(page):
    text = (SITE / page).read_text()
    for link in re.findall(r'(?:href|src)="([^"]*)"', text):
        url = urllib.parse.urlparse(link)
        if url.scheme in ("https", "data"):
            continue
        target = ((SITE / page).parent / urllib.parse.unquote(url.path)).resolve() if url.path else SITE / page
        assert target.exists(), link
        if url.fragment and target.suffix == ".html":
            assert f'id="{urllib.parse.unquote(url.fragment)}"' in target.read_text(), link
    # Blocks and tables became such, and nothing of Markdown is left.
    assert "```" not in re.sub(r"<code>.*?</code>", "", text, flags=re.S) and "<p>|" not in text


def test_nothing_is_asked_for_elsewhere(browser):
    for page in PAGES:
        show(browser, page)
    requests = {
        message["params"]["request"]["url"]
        for message in (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
        if message["method"] == "Network.requestWillBeSent"
    }
    assert len(requests) > len(PAGES)
    assert [url for url in requests if not url.startswith(("file:", "data:", "about:"))] == []
    assert [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_search_finds_without_a_server(browser):
    show(browser, "Documentation/filter.html")
    field = WebDriverWait(browser, 20).until(lambda d: d.find_element(By.CSS_SELECTOR, ".md-search__input"))
    browser.execute_script("arguments[0].focus()", field)
    field.send_keys("bugreport")
    found = WebDriverWait(browser, 20).until(
        lambda d: [a.get_attribute("href") for a in d.find_elements(By.CSS_SELECTOR, ".md-search-result__link")])
    picture(browser, "search")
    assert any("getting-a-log.html" in link for link in found)
    assert all(link.startswith("file:") for link in found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_light_and_dark(browser, scheme):
    show(browser, "Documentation/usual-faults.html", scheme)
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    red = int(re.search(r"\d+", colour)[0])
    picture(browser, scheme)
    assert red > 200 if scheme == "light" else red < 60
