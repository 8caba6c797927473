"""pictures.py ATTLAS: makes the pictures of the documentation from Captures/ (`make pictures`)."""

import base64
import contextlib
import html
import io
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

from PIL import Image
from selenium import webdriver

ROOT = pathlib.Path(__file__).parents[1]
ATTLAS = pathlib.Path(sys.argv[1]).resolve()
COLOURS = ["#111418", "#e06c75", "#7ec87e", "#d7ba6d", "#6ea8dc", "#c08ad6", "#6cc3c1", "#d8dad4"]
# No monospaced font has Braille: it comes from another one.
BRAILLE, CELL = re.compile("[\u2800-\u28ff]"), r'<span style="display:inline-block;width:1ch">\g<0></span>'
BRIGHT = ["#868b91", "#f08a92", "#9be09b", "#ecd48c", "#92c3ef", "#d7abe9", "#90dcda", "#ffffff"]


def save(name, picture):
    """As a PNG with few colours, which is a quarter as long."""
    few = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    few.save(ROOT / "Documentation" / f"{name}.png", optimize=True)


@contextlib.contextmanager
def browser(page, width, height, scheme="light"):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"]:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        driver.get(page.as_uri())
        yield driver
    finally:
        driver.quit()


def photograph(page, width, height, part=None, **look):
    """What a window of this size shows; of a part, from its heading on."""
    with browser(page, width, height, **look) as driver:
        if part:
            driver.execute_script(f"document.querySelector('{part}').scrollIntoView()")
        return Image.open(io.BytesIO(driver.get_screenshot_as_png()))


def printed(page):
    """The first two printed pages side by side."""
    with browser(page, 1100, 1000) as driver, tempfile.TemporaryDirectory() as folder:
        pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
        subprocess.run(["pdftoppm", "-r", "80", "-l", "2", "-png", "-", f"{folder}/page"], input=pdf, check=True)
        pages = [Image.open(path) for path in sorted(pathlib.Path(folder).iterdir())]
        both = Image.new("RGB", (sum(one.width + 10 for one in pages) + 10, pages[0].height + 20), "#cccfcc")
        for number, one in enumerate(pages):
            both.paste(one, (10 + number * (one.width + 10), 10))
        return both


def as_html(line):
    """A line of `tmux capture-pane -e`."""
    style, output = {}, ""
    for text, codes in re.findall(r"([^\x1b]+)|\x1b\[([\d;]*)m", line.replace("\x0f", "").replace("\x0e", "")):
        if text:
            fore, back = style.get("fore", COLOURS[7]), style.get("back", COLOURS[0])
            if style.get(7):
                fore, back = back, fore
            output += (
                f'<span style="color:{fore};background:{back};font-weight:{700 if style.get(1) else 400};'
                f'opacity:{0.6 if style.get(2) else 1}">{BRAILLE.sub(CELL, html.escape(text))}</span>')
            continue
        for code in map(int, (codes or "0").split(";")):
            if code == 0:
                style = {}
            elif code in (1, 2, 7):
                style[code] = True
            elif code == 22:
                style.pop(1, None), style.pop(2, None)
            elif code == 27:
                style.pop(7, None)
            elif code == 39:
                style.pop("fore", None)
            elif code == 49:
                style.pop("back", None)
            elif code // 10 in (3, 9):
                style["fore"] = (COLOURS if code < 90 else BRIGHT)[code % 10]
            elif code // 10 in (4, 10):
                style["back"] = (COLOURS if code < 90 else BRIGHT)[code % 10]
    return output


def terminal(command, keys, start=ROOT / "Captures", columns=112, rows=36):
    """The screen of a command after these keys."""
    tmux = ["tmux", "-L", "attlas-pictures", "-u", "-f", "/dev/null"]
    run = shlex.join(["env", "-u", "NO_COLOR", "LC_ALL=C.UTF-8", "TERM=screen", str(ATTLAS), *command])
    size = ["-x", str(columns), "-y", str(rows), "-c", str(start)]
    subprocess.run([*tmux, "new-session", "-d", *size, run], check=True)
    try:
        for key in keys:
            time.sleep(0.5)
            subprocess.run([*tmux, "send-keys", key], check=True)
        time.sleep(1)
        lines = subprocess.run([*tmux, "capture-pane", "-p", "-e", "-N"], check=True, capture_output=True, text=True).stdout
    finally:
        subprocess.run([*tmux, "kill-server"])
    with tempfile.NamedTemporaryFile("w", suffix=".html") as page:
        page.write(
            f'<meta charset="utf-8"><style>body{{margin:0;padding:8px;background:{COLOURS[0]}}}'
            "pre{margin:0;font:15px/19px 'DejaVu Sans Mono'}</style><pre>"
            + "\n".join(as_html(line) for line in lines.splitlines()))
        page.flush()
        return photograph(pathlib.Path(page.name), columns * 9 + 24, rows * 19 + 16)


with tempfile.TemporaryDirectory() as folder:
    one, two = pathlib.Path(folder, "one.html"), pathlib.Path(folder, "two.html")
    report = [ATTLAS, "report", "heart-rate.btsnoop"]
    subprocess.run([*report, "-o", one], check=True, cwd=ROOT / "Captures")
    subprocess.run([*report, "--compare", "two-peripherals.btsnoop", "-o", two], check=True, cwd=ROOT / "Captures")
    save("open", terminal(["open", "heart-rate.btsnoop"], [":", "1", "6", "7", "Enter", "p", "o", "Tab"]))
    # Without its end, so that the connection is open.
    growing = pathlib.Path(folder, "belt.btsnoop")
    growing.write_bytes((ROOT / "Captures/heart-rate.btsnoop").read_bytes()[:-500])
    save("live", terminal(["live", "--follow", growing.name], ["Tab", *["Down"] * 8], start=folder))
    save("report", photograph(one, 1100, 940))
    save("report-narrow", photograph(one, 390, 1100))
    save("report-sequence", photograph(one, 1100, 660, part="[id$=-sequence]", scheme="dark"))
    save("report-print", printed(one))
    save("report-compare", photograph(two, 1100, 1400))
