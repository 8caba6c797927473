"""The page of attlas report in a real browser: what it shows, what it does, and what it must not do.

ATTLAS names the binary. ATTLAS_SCREENSHOTS names a folder for pictures of the pages, to be looked at.
"""

import base64
import csv
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import zlib

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import capture

# axe-core, out of the package that has a copy of it.
AXE = (pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js").read_text()
ROOT = pathlib.Path(__file__).parents[2]
NAMES = ["heart-rate", "pairing", "many-sensors", "two-peripherals", "several", "hostile", "recorder", "firmware", "visits", "empty", "compared", "compared-hostile"]


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    hostile = folder / "hostile<script>alert(1)</script>.btsnoop".replace("/", "")
    hostile.write_bytes(capture.octets(1_000))
    inputs = {name: [ROOT / f"Captures/{name}.btsnoop"] for name in NAMES[:4]}
    inputs["several"] = [ROOT / "Captures/both-roles.btsnoop", ROOT / "Captures/two-controllers.pcap"]
    inputs["hostile"] = [hostile]
    inputs["recorder"] = [folder / "recorder.pcapng"]
    inputs["recorder"][0].write_bytes(capture.recorder())
    inputs["visits"] = [folder / "visits.btsnoop"]
    inputs["visits"][0].write_bytes(capture.visits())
    inputs["empty"] = [folder / "empty.btsnoop"]
    inputs["empty"][0].write_bytes(capture.octets(1)[:16])
    firmware = [folder / "firmware-1.btsnoop", folder / "firmware-2.btsnoop"]
    for version, file in enumerate(firmware, 1):
        file.write_bytes(capture.firmware(version))
    inputs["firmware"] = [firmware[1]]
    inputs["compared"] = ["--compare", *firmware]
    inputs["compared-hostile"] = ["--compare", hostile, firmware[0]]
    for name, files in inputs.items():
        subprocess.run([os.environ["ATTLAS"], "report", *files, "-o", folder / f"{name}.html"], check=True)
    return folder


def open_page(browser, pages, name, width=1280, scheme="light", media=""):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get("about:blank")
    browser.get((pages / f"{name}.html").as_uri())


def rows(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('#c1-conversation tr[data-t]')].filter(row => !row.hidden).map(row => row.textContent)")


@pytest.mark.parametrize("name", NAMES)
def test_it_opens_without_errors_and_requests(browser, pages, name):
    open_page(browser, pages, name)
    assert browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert [url for url in requests if url != "about:blank"] == [(pages / f"{name}.html").as_uri()]
    paint = browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    print(f"{name}: first paint after {paint} ms, {(pages / f'{name}.html').stat().st_size} octets")


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_has_marks(browser, pages, name):
    open_page(browser, pages, name)
    empty = browser.execute_script("""
        return [...document.querySelectorAll('svg.plot, svg.lane, svg.histogram')]
          .filter(svg => svg.getBoundingClientRect().width > 0 && ![...svg.querySelectorAll('path, use, rect, line')]
            .some(mark => {
              const box = mark.getBoundingClientRect();
              return box.width + box.height > 0 || mark.matches('.dots[d^=M]');
            }))
          .map(svg => svg.getAttribute('aria-label'))""")
    assert empty == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(browser, pages, name, width):
    open_page(browser, pages, name, width)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("name", "scheme"), [(name, "light") for name in NAMES] + [("heart-rate", "dark"), ("pairing", "dark"), ("firmware", "dark"), ("compared", "dark")])
def test_it_is_accessible(browser, pages, name, scheme):
    open_page(browser, pages, name, scheme=scheme)
    # Folded parts are seen, too. In a page of thousands of rows axe takes longer for closed ones than for open ones.
    folded = "details" if "hostile" in name else ".folded"
    browser.execute_script("document.querySelectorAll(arguments[0]).forEach(part => part.open = true)", folded)
    browser.execute_script(AXE)
    found = browser.execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run({resultTypes: ["violations"]}).then((results) => done(results.violations
          .filter((violation) => ["serious", "critical"].includes(violation.impact))
          .map(({id, nodes}) => [id, nodes.length, nodes[0].html.slice(0, 300), nodes[0].failureSummary])));""")
    assert found == []


@pytest.mark.parametrize("name", ["hostile", "recorder", "compared-hostile"])
def test_nothing_hostile_is_markup(browser, pages, name):
    open_page(browser, pages, name)
    counts = browser.execute_script("""
        const count = (selector) => document.querySelectorAll(selector).length;
        return [count('script'), count('style'), count('h1'), count('img, iframe, base, object, link'),
          [...document.querySelectorAll('*')].filter(element => [...element.attributes].some(
            attribute => attribute.name.startsWith('on') || /script:/i.test(attribute.value) && attribute.name === 'href')).length]""")
    assert counts == [1, 1, 1, 0, 0]
    assert "hit" != browser.title
    assert "\u202e" not in browser.execute_script("return document.documentElement.outerHTML")


def test_hostile_names_are_text(browser, pages):
    open_page(browser, pages, "recorder")
    assert "</script><script>document.title='hit'</script>" in browser.find_element(By.CSS_SELECTOR, "#c1-capture .facts").text
    open_page(browser, pages, "hostile")
    assert browser.title.startswith("hostile<script>alert(1)<")
    text = browser.execute_script("return document.body.textContent")
    assert "</script><script>document.title='hit'</script>20" in text
    assert "\\u{202E}evil" in text and "\u202e" not in text
    sections = browser.execute_script("return [...document.querySelectorAll('section.capture > section')].map(part => part.id)")
    assert sections[0] == "c1-summary" and sections[-1] == "c1-conversation"


def test_zoom_and_range(browser, pages):
    open_page(browser, pages, "heart-rate")
    everything = len(rows(browser))

    def shown():
        return browser.execute_script("return document.querySelector('svg.plot').getAttribute('viewBox')")

    whole = shown()
    browser.find_element(By.NAME, "in").click()
    assert shown() != whole
    assert 0 < len(rows(browser)) < everything
    browser.find_element(By.NAME, "all").click()
    assert shown() == whole
    assert len(rows(browser)) == everything

    # By dragging over the timeline, from a quarter to a half.
    lane = browser.find_element(By.CSS_SELECTOR, "svg.lane")
    width = lane.size["width"]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", lane)
    ActionChains(browser).move_to_element_with_offset(lane, -width // 4, 20).click_and_hold() \
        .move_to_element_with_offset(lane, 0, 20).release().perform()
    chosen = [float(browser.find_element(By.NAME, name).get_attribute("value")) for name in ("from", "to")]
    assert chosen == pytest.approx([9.453062 / 4, 9.453062 / 2], abs=0.05)
    times = browser.execute_script("""
        return [...document.querySelectorAll('[data-t]')].filter(item => item.matches('tr, li, article, details') && !item.hidden)
          .map(item => [Number(item.dataset.t), Number(item.dataset.u ?? item.dataset.t)])""")
    assert times and all(first <= chosen[1] + 1e-3 and last >= chosen[0] - 1e-3 for first, last in times)

    # With the keyboard, and with numbers.
    timeline = browser.find_element(By.CSS_SELECTOR, ".time")
    timeline.send_keys(Keys.ESCAPE)
    assert len(rows(browser)) == everything
    timeline.send_keys("+")
    timeline.send_keys(Keys.ARROW_RIGHT)
    assert float(browser.find_element(By.NAME, "from").get_attribute("value")) > 9.453062 / 4
    field = browser.find_element(By.NAME, "from")
    field.clear()
    field.send_keys("0", Keys.TAB)
    assert float(field.get_attribute("value")) == 0


def choose(browser, first, last):
    """The range of the first capture, in seconds."""
    browser.execute_script("""
        const controls = document.querySelector(".controls");
        [controls.elements.from.value, controls.elements.to.value] = arguments;
        controls.dispatchEvent(new Event("change"));""", first, last)


def pixel(browser, x, y):
    """Red, green and blue there: a picture of one pixel has no filter, and no other one before it."""
    picture = base64.b64decode(browser.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {"x": x, "y": y, "width": 1, "height": 1, "scale": 1}})["data"])
    data = picture.index(b"IDAT")
    length = int.from_bytes(picture[data - 4:data], "big")
    return tuple(zlib.decompressobj().decompress(picture[data + 4:data + 4 + length])[1:4])


def test_everything_follows_the_range(browser, pages):
    open_page(browser, pages, "visits")
    browser.find_element(By.CSS_SELECTOR, "#c1-statistics summary").click()

    def shown(part, selector):
        """The texts of what is seen there, each up to its first line's end."""
        elements = browser.find_elements(By.CSS_SELECTOR, f"#c1-{part} {selector}")
        return [element.text.split("\n")[0] for element in elements if element.is_displayed()]

    def trees():
        return [name.split(" ")[0] for name in shown("trees", "summary")]

    def attributes():
        return [text.split(" frame ")[0] for text in shown("trees", "li")]

    def tables():
        return shown("statistics", ".scroll caption")

    def note(part):
        return browser.find_element(By.CSS_SELECTOR, f"#c1-{part} p[data-of]").text.split(" were ")[0]

    everything = [shown(part, "[data-t]") for part in ("devices", "trees", "statistics")]
    assert [note(part) for part in ("devices", "trees", "statistics")] == ["", "", ""]
    assert [name.split()[-1] for name in shown("devices", "td bdi")] == ["Lock", "Belt"] and trees() == ["Lock", "Belt"]

    # When only the second was present.
    choose(browser, 4.5, 8)
    assert shown("devices", "td bdi") == trees() == ["Belt"]
    assert shown("statistics", "h4") == ["Belt · connection 2"]
    assert [note(part) for part in ("devices", "trees", "statistics")] == [
        "1 of 2 devices", "2 of 4 services and attributes", "1 of 2 connections"]

    # Between both reads: there is a round trip before and one after it, but one value only.
    choose(browser, 2.5, 2.8)
    assert shown("devices", "td bdi") == trees() == ["Lock"]
    assert attributes() == ["0x0001–0x0003 Battery 180F", "0x0003 Battery Level 2A19 read"]
    assert tables() == ["Link", "Procedures", "Round trips"] and shown("statistics", ".scroll th[scope=row]")[-1] == "→ Read Battery › Battery Level"

    # Connected, and nothing more.
    choose(browser, 3.5, 3.8)
    assert shown("devices", "td bdi") == ["Lock"] and shown("statistics", "h4") == ["Lock · connection 1"]
    assert trees() == attributes() == [] and tables() == ["Link", "Procedures"]
    assert note("trees") == "0 of 4 services and attributes"
    # What is said of a connection reaches as far as it lasted: the bar of the second one begins later.
    bars = browser.find_elements(By.CSS_SELECTOR, "svg.lane rect")
    assert [bar.value_of_css_property("visibility") for bar in bars] == ["visible", "hidden"]

    # A connection that is open at the end, when nothing passed.
    choose(browser, 7.5, 7.8)
    assert shown("devices", "td bdi") == trees() == ["Belt"]
    assert tables() == ["Link", "Procedures", "Values"]

    browser.execute_script("document.querySelector('[name=all]').click()")
    assert [shown(part, "[data-t]") for part in ("devices", "trees", "statistics")] == everything
    assert note("devices") == ""


def test_findings_follow_the_range(browser, pages):
    open_page(browser, pages, "many-sensors")
    found = len(browser.find_elements(By.CSS_SELECTOR, "#c1-findings .finding"))
    # The CRC of the glucose value is wrong at 3.137661 s.
    choose(browser, 3, 3.2)
    seen = [finding for finding in browser.find_elements(By.CSS_SELECTOR, "#c1-findings .finding") if finding.is_displayed()]
    assert len(seen) == 1 < found and "value/wrong-crc" in seen[0].text
    assert browser.find_element(By.CSS_SELECTOR, "#c1-findings p[data-of]").text.startswith("1 of ")


def test_captions_follow_the_range(browser, pages):
    table = subprocess.run(
        [os.environ["ATTLAS"], "show", "--csv", "--field", "Heart Rate Measurement Value", ROOT / "Captures/heart-rate.btsnoop"],
        check=True, capture_output=True, text=True).stdout
    values = [(row["frame"], int(row["Heart Rate Measurement Value"])) for row in csv.DictReader(table.splitlines())]
    open_page(browser, pages, "heart-rate")
    figure = browser.find_element(By.CSS_SELECTOR, "#c1-plots figure")
    caption = figure.find_element(By.CLASS_NAME, "sum")
    whole = caption.text
    assert whole.startswith(f"{len(values)} values, {min(value for _, value in values)} to {max(value for _, value in values)} bpm")
    times = [float(browser.find_element(By.ID, f"c1-f{frame}").get_attribute("data-t")) for frame, _ in values]
    # The fifth to the fourteenth.
    choose(browser, times[4] - 0.01, times[13] + 0.01)
    chosen = [value for _, value in values[4:14]]
    count, bounds, mean = caption.text.split(", ")
    assert (count, bounds) == ("10 values", f"{min(chosen)} to {max(chosen)} bpm")
    assert float(mean.removeprefix("mean ").removesuffix(" bpm")) == pytest.approx(sum(chosen) / 10, abs=0.06)
    ticks = [float(tick.text.removesuffix(" s")) for tick in figure.find_elements(By.CSS_SELECTOR, ".ticks text")]
    assert len(ticks) > 2 and times[4] - 0.01 <= min(ticks) and max(ticks) <= times[13] + 0.01
    choose(browser, 0, 0.1)
    assert caption.text == "no value in this range"
    browser.find_element(By.NAME, "all").click()
    assert caption.text == whole


def test_a_row_opens_its_layers_and_octets(browser, pages):
    open_page(browser, pages, "heart-rate")
    # Heart Rate Measurement: flags, and 72 bpm in one octet.
    row = browser.find_element(By.ID, "c1-f140")
    inside = row.find_element(By.TAG_NAME, "pre")
    assert not inside.is_displayed()
    row.find_elements(By.TAG_NAME, "td")[0].click()
    assert inside.is_displayed()
    lines = [line.split() for line in inside.text.splitlines()]
    assert ["1b", "Opcode"] in lines and any(line[0] == "48" and line[-2:] == ["72", "bpm"] for line in lines)
    row.find_elements(By.TAG_NAME, "td")[0].click()
    assert not inside.is_displayed()
    # With the keyboard.
    row.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert inside.is_displayed()
    # Octets are found as well.
    browser.find_element(By.NAME, "search").send_keys("Attribute Handle: 0x")
    assert row.is_displayed() and all("Attribute Handle" in row for row in rows(browser))


def test_what_a_row_opens_is_in_sight_on_a_narrow_screen(browser, pages):
    open_page(browser, pages, "heart-rate", 390)
    row = browser.find_element(By.ID, "c1-f140")
    row.find_elements(By.TAG_NAME, "td")[0].click()
    parts = [row.find_element(By.TAG_NAME, "pre"), *row.find_elements(By.TAG_NAME, "td")]
    boxes = [part.rect for part in parts if part.text]
    assert len(boxes) > 5 and all(0 <= box["x"] and box["x"] + box["width"] <= 390 for box in boxes)


def test_addresses_are_on_one_line(browser, pages):
    open_page(browser, pages, "many-sensors")
    lines = browser.execute_script("""
        return [...document.querySelectorAll("#c1-devices td.k")].map(cell => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        })""")
    assert lines and set(lines) == {1}


def test_marks_at_the_ends_are_whole(browser, pages):
    open_page(browser, pages, "heart-rate")
    lane = browser.find_element(By.CSS_SELECTOR, "svg.lane")
    end, paper = browser.execute_script("""
        scrollTo(0, 0);
        const box = arguments[0].getBoundingClientRect();
        return [0, 5].map(distance => [Math.floor(box.right) + distance, Math.round(box.top + 27)])""", lane)
    # The connection ends with the last record: half of its mark, two pixels, extends over the end of the lane.
    assert pixel(browser, *paper) == (0xFF, 0xFF, 0xFF) and pixel(browser, *end) == (0x1B, 0x1F, 0x24)
    # Not that of another time, however near.
    choose(browser, 0, 9.45)
    assert pixel(browser, *end) == pixel(browser, *paper)
    assert browser.find_element(By.CSS_SELECTOR, "use.end").value_of_css_property("visibility") == "hidden"


def test_an_empty_capture_has_nothing_to_choose(browser, pages):
    open_page(browser, pages, "empty")
    assert browser.find_elements(By.CSS_SELECTOR, ".controls, .search, .legend, table, .lifelines") == []
    assert "No connection in this capture." in browser.find_element(By.ID, "c1-timeline").text


def test_a_finding_leads_to_its_place_on_the_timeline(browser, pages):
    open_page(browser, pages, "heart-rate")
    frame, time = browser.find_elements(By.CSS_SELECTOR, "#c1-findings .places a")[:2]
    name = f"c1-m{frame.text}"
    assert time.get_attribute("href").endswith(f"#{name}") and time.text.endswith(" s")
    # Also when another range is shown.
    field = browser.find_element(By.NAME, "to")
    field.clear()
    field.send_keys("0.5", Keys.TAB)
    browser.execute_script("location.hash = arguments[0]", name)
    mark = browser.find_element(By.ID, name)
    place = browser.execute_script("""
        const [mark, lane] = [arguments[0], arguments[0].closest("svg")].map(element => element.getBoundingClientRect());
        return [(mark.left + mark.right) / 2, lane.left, lane.right, mark.top, innerHeight]""", mark)
    assert place[1] < place[0] < place[2] and 0 < place[3] < place[4]
    assert float(time.text[:-2]) / 9.453062 == pytest.approx((place[0] - place[1]) / (place[2] - place[1]), abs=0.01)
    assert mark.get_attribute("class") == "finding"


def test_a_range_of_a_long_sequence(browser, pages):
    open_page(browser, pages, "hostile")

    def steps():
        return browser.execute_script(
            "return [...document.querySelectorAll('.sequence li')].filter(step => !step.hidden).map(step => Number(step.dataset.t))")

    def note():
        return browser.find_element(By.CSS_SELECTOR, "#c1-sequence .note").text

    count = browser.execute_script("return document.querySelectorAll('.sequence li').length")
    assert len(steps()) == 400 < count and note().startswith(f"The first 400 of {count} steps.")
    span = float(browser.find_element(By.CSS_SELECTOR, "[data-span]").get_attribute("data-span"))
    browser.execute_script("""
        const field = document.querySelector("[name=from]");
        field.value = arguments[0];
        field.dispatchEvent(new Event("change", {bubbles: true}));""", str(span - 0.5))
    found = steps()
    assert 100 < len(found) < 400 and min(found) >= span - 0.5
    assert note() == f"All {len(found)} steps of the range."


def test_the_plots_of_two_captures_share_a_range(browser, pages):
    open_page(browser, pages, "compared")
    part = browser.find_element(By.ID, "c0-plots")
    whole = [0, float(part.find_element(By.CSS_SELECTOR, "[data-span]").get_attribute("data-span"))]

    def shown(part=part):
        """The range of all plots, in seconds; they have one."""
        boxes = browser.execute_script(
            "return [...arguments[0].querySelectorAll('svg.plot')].map(svg => svg.getAttribute('viewBox'))", part)
        assert len(boxes) > 1 and len(set(boxes)) == 1
        start, _, width, _ = map(float, boxes[0].split())
        chosen = [float(part.find_element(By.NAME, name).get_attribute("value")) for name in ("from", "to")]
        assert [start / 1e4 * whole[1], (start + width) / 1e4 * whole[1]] == pytest.approx(chosen, abs=0.01)
        return chosen

    assert shown() == pytest.approx(whole)
    part.find_element(By.NAME, "in").click()
    assert shown() == pytest.approx([whole[1] / 4, whole[1] * 3 / 4])
    part.find_element(By.NAME, "on").click()
    assert shown() == pytest.approx([whole[1] / 2, whole[1]])
    ticks = [float(tick.text.removesuffix(" s")) for tick in part.find_element(By.CLASS_NAME, "ticks").find_elements(By.TAG_NAME, "text")]
    # 14 s are shown: every 5 s, within the range.
    assert len(ticks) >= 2 and all(tick % 5 == 0 and whole[1] / 2 <= tick <= whole[1] for tick in ticks)
    # By dragging, within what is shown.
    plot = part.find_elements(By.CSS_SELECTOR, "svg.plot")[1]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", plot)
    width = plot.size["width"]
    ActionChains(browser).move_to_element_with_offset(plot, -width // 4, 10).click_and_hold() \
        .move_to_element_with_offset(plot, 0, 10).release().perform()
    assert shown() == pytest.approx([whole[1] * 5 / 8, whole[1] * 3 / 4], abs=0.3)
    # With the keyboard.
    group = part.find_element(By.CSS_SELECTOR, "[role=group]")
    group.send_keys(Keys.ARROW_LEFT)
    assert shown()[0] < whole[1] * 5 / 8 - 0.3
    group.send_keys(Keys.ESCAPE)
    assert shown() == pytest.approx(whole)
    # The captures below have separate ranges, and chosen lines; here both captures are the lines.
    assert len(part.find_elements(By.TAG_NAME, "select")) == 0
    part.find_element(By.NAME, "in").click()
    assert browser.find_element(By.CSS_SELECTOR, "#c1 svg.plot").get_dom_attribute("viewBox") == "0 0 10000 100"


def test_search_and_links(browser, pages):
    open_page(browser, pages, "heart-rate")
    browser.find_element(By.NAME, "search").send_keys("battery")
    found = rows(browser)
    assert found and all("battery" in row.lower() for row in found)

    # A link to a row that the search hides shows it.
    link = browser.find_element(By.CSS_SELECTOR, "#c1-findings .places a")
    frame = link.text
    browser.execute_script("arguments[0].click()", link)
    target = browser.find_element(By.ID, f"c1-f{frame}")
    assert target.is_displayed() and target.text.startswith(frame)
    assert browser.find_element(By.NAME, "search").get_attribute("value") == ""

    # Also the same link once more, after another range was chosen.
    field = browser.find_element(By.NAME, "to")
    field.clear()
    field.send_keys("0.5", Keys.TAB)
    assert not target.is_displayed()
    browser.execute_script("arguments[0].click()", link)
    assert target.is_displayed()

    # So does a click on a mark: to its record, or to the story of what broke.
    for mark, place in [("use.subscription", "tr"), ("use.broke", "li"), ("use.hindered", "details li")]:
        browser.execute_script("location.hash = ''; scrollTo(0, 0)")
        mark = browser.find_element(By.CSS_SELECTOR, mark)
        ActionChains(browser).move_to_element_with_offset(mark, 2, 0).click().perform()
        assert browser.current_url.endswith(f"#c1-{mark.get_attribute('data-to')}")
        assert browser.find_element(By.CSS_SELECTOR, f"{place}:target").is_displayed()


def test_what_broke_is_on_the_first_screen(browser, pages):
    """The headline, then the timeline with what broke on it, then the story: before all else."""
    open_page(browser, pages, "heart-rate")
    tops = [browser.find_element(By.CSS_SELECTOR, selector).rect["y"] for selector in
            (".headline", "svg.lane use.broke", "#c1-i1", "#c1-capture")]
    assert tops == sorted(tops) and tops[2] < 600
    assert browser.find_element(By.CSS_SELECTOR, "svg.lane text.number").text == "1"
    clock = browser.execute_script("return [...document.querySelectorAll('#c1-timeline .ticks g')].map(tick => tick.lastChild.textContent)")
    assert clock[0] == "09:55:20 UTC"
    # What was only slow is folded.
    assert not browser.find_element(By.ID, "c1-i2").is_displayed()
    browser.find_element(By.NAME, "in").click()
    zoomed = browser.execute_script("return [...document.querySelectorAll('#c1-timeline .ticks g')].map(tick => tick.lastChild.textContent)")
    assert zoomed and all(time.startswith("09:55:2") and time.endswith(" UTC") for time in zoomed)
    mark, number = [browser.find_element(By.CSS_SELECTOR, f"svg.lane {name}").get_attribute("x") for name in ("use.broke", "text.number")]
    assert mark == number


def test_a_page_is_printed_on_a_few_sheets(browser, pages):
    """Twelve at most; all of it by choice."""
    def sheets():
        pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"])
        return len(re.findall(rb"/Type\s*/Page\b", pdf))

    for name in ("heart-rate", "many-sensors", "visits"):
        open_page(browser, pages, name)
        few = sheets()
        assert few <= 12
        browser.find_element(By.ID, "print-all").click()
        assert sheets() > few


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["many-sensors", "visits"])
def test_links_to_frames_land_in_view(browser, pages, name, width):
    """Neither below a heading that stays nor in a folded part, from a link on the page and from another page."""
    open_page(browser, pages, name, width)
    shown = """
        const target = document.getElementById(location.hash.slice(1)), box = target.getBoundingClientRect();
        const seen = document.elementFromPoint(Math.max(box.left, 0) + 2, box.top + 2);
        return box.height > 0 && Boolean(seen) && (target === seen || target.contains(seen));"""
    links = browser.execute_script("return [...new Set([...document.querySelectorAll('a[href^=\"#c1-f\"]')].map(link => link.hash))]")
    assert len(links) > 5
    hidden = []
    for link in links[:: max(1, len(links) // 25)]:
        browser.execute_script(
            "document.querySelectorAll('details').forEach(part => part.open = false);"
            "document.querySelectorAll('.tall').forEach(part => part.scrollTop = 1e6);"
            "document.querySelector(`a[href='${arguments[0]}']`).click()", link)
        if not browser.execute_script(shown):
            hidden.append(link)
    assert hidden == []
    browser.get("about:blank")
    browser.get((pages / f"{name}.html").as_uri() + links[-1])
    assert browser.execute_script(shown)


def test_a_second_line_on_a_plot(browser, pages):
    open_page(browser, pages, "firmware")
    figures = browser.find_elements(By.CSS_SELECTOR, "#c1-plots figure")
    chooser = figures[0].find_element(By.TAG_NAME, "select")

    def lines(figure):
        return [line.get_attribute("d") for line in figure.find_elements(By.CSS_SELECTOR, "svg.plot .line")]

    own, other = lines(figures[0]), lines(figures[1])
    assert other[0].startswith("M") and other[0] != own[0]
    browser.execute_script("arguments[0].focus()", chooser)
    Select(chooser).select_by_visible_text("All connections · Round trips")
    assert lines(figures[0]) == own + other
    scales = [scale.text.split() for scale in figures[0].find_elements(By.CLASS_NAME, "scale")]
    assert scales[1] == figures[1].find_element(By.CLASS_NAME, "scale").text.split() != scales[0]
    left, plot, right = [figures[0].find_element(By.CSS_SELECTOR, selector).rect["x"] for selector in
                         (".scale", "svg.plot", ".scale.second")]
    assert left < plot < right
    Select(chooser).select_by_index(0)
    assert lines(figures[0]) == own and len(figures[0].find_elements(By.CLASS_NAME, "scale")) == 1


def test_bands_of_flags_follow_the_range(browser, pages):
    open_page(browser, pages, "firmware")
    names = [name.text.split("\n")[0] for name in browser.find_elements(By.CLASS_NAME, "states")]
    assert names == ["Sensor Contact Detected", "Sensor Contact Supported"]
    colours = browser.execute_script(
        "return [...document.querySelector('svg.band').children].map(band => getComputedStyle(band).fill)")
    assert len(colours) > 4 and len(set(colours)) == 2
    browser.find_element(By.NAME, "in").click()
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('svg.band, svg.plot')].map(svg => svg.getAttribute('viewBox').split(' ')[0])")
    assert len(set(boxes)) == 1 and boxes[0] != "0"


def test_it_says_the_same_without_its_script(browser, pages):
    open_page(browser, pages, "heart-rate")
    expected = len(rows(browser))
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        open_page(browser, pages, "heart-rate")
        assert not browser.find_element(By.NAME, "search").is_displayed()
        assert len(browser.find_elements(By.CSS_SELECTOR, "#c1-conversation tr[data-t]")) == expected
        assert browser.find_element(By.CSS_SELECTOR, "svg.plot path.line").is_displayed()
        assert not browser.find_elements(By.TAG_NAME, "select")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_two_captures_stand_side_by_side(browser, pages):
    open_page(browser, pages, "compared")
    sections = browser.execute_script("return [...document.querySelectorAll('main > section')].map(section => section.id)")
    assert sections == ["c0", "c1", "c2"]
    changes = browser.find_element(By.CSS_SELECTOR, "#c0-summary .wrong").text
    assert "GATT trees differ: Belt C6:05:00:00:00:01: 1 attribute." in changes
    assert "Slower by more than 20 %: → Read Heart Rate › Body Sensor Location: p50 30 ms → 73 ms." in changes
    # A line for each, in different colours, and as long as its capture.
    lines = browser.execute_script("""
        return [...document.querySelectorAll("#c0-plots figure")].map(figure => [
          figure.querySelector("strong").textContent,
          [...figure.querySelectorAll("svg.plot path[data-n]")].map(line => getComputedStyle(line).stroke)])""")
    assert [name for name, _ in lines] == ["Heart Rate Measurement Value", "Read", "Value octets received"]
    assert all(len(set(colours)) == 2 for _, colours in lines)
    # A frame leads into the capture that it is from.
    links = [link.get_attribute("href").split("#")[1] for link in
             browser.find_elements(By.CSS_SELECTOR, "#c0-findings td a")]
    assert any(link.startswith("c1-f") for link in links) and any(link.startswith("c2-f") for link in links)
    assert all(browser.find_elements(By.ID, link) for link in links)


LOOKS = {"light": (1280, "light", ""), "dark": (1280, "dark", ""), "print": (794, "light", "print"), "390": (390, "light", "")}


@pytest.mark.skipif("ATTLAS_SCREENSHOTS" not in os.environ, reason="ATTLAS_SCREENSHOTS names no folder")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("look", LOOKS)
def test_screenshots(browser, pages, name, look):
    width, scheme, media = LOOKS[look]
    open_page(browser, pages, name, width, scheme, media)
    height = min(browser.execute_script("return document.documentElement.scrollHeight"), 9_000)
    for start in range(0, height, 1_500):
        picture = browser.execute_cdp_cmd(
            "Page.captureScreenshot",
            {"captureBeyondViewport": True,
             "clip": {"x": 0, "y": start, "width": width, "height": min(1_500, height - start), "scale": 1}})
        path = pathlib.Path(os.environ["ATTLAS_SCREENSHOTS"]) / f"{name}-{look}-{start // 1_500}.png"
        path.write_bytes(base64.b64decode(picture["data"]))
