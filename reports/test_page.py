# SPDX-License-Identifier: MIT
"""Opens the page in a real browser: test_page.py WRITE_SAMPLE FOLDER, or the page of a selftest: test_page.py --kills PAGE
FOLDER. Exits 77 where selenium, chromium or chromedriver is absent. Screenshots of the main views go to FOLDER, for a
person to look at."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    print("skipped: Python has no module selenium (package python3-selenium)")
    sys.exit(77)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    print("skipped: chromium and chromedriver are not both here (packages chromium, chromium-driver)")
    sys.exit(77)

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
).split()


# A window is never narrower than about 500 pixels; the emulated screen is.
def set_width(browser, width):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )


def open_browser(profile, script=True):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS + [f"--user-data-dir={profile}", "--window-size=1280,900"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    browser = webdriver.Chrome(service=Service(DRIVER), options=options)
    browser.get("about:blank")
    browser.get_log("performance")  # the new tab's own
    set_width(browser, 1280)
    return browser


def load(browser, page, fragment=""):
    browser.get("about:blank")
    browser.get(page.as_uri() + fragment)
    WebDriverWait(browser, 60).until(
        lambda b: b.execute_script("return document.documentElement.dataset.ready") == "yes"
    )


def requests(browser):
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def check_quiet(browser):
    strangers = [url for url in requests(browser) if url.split(":")[0] not in ("file", "about", "data", "blob")]
    assert not strangers, f"the page asked for {strangers}"
    errors = browser.get_log("browser")
    assert not errors, f"the console says {errors}"


def text_of(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector).text


def rows(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('#all tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )


def click(browser, selector):
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def shoot(browser, folder, name, selector=None):
    if selector:
        browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", selector)
    browser.save_screenshot(str(folder / f"{name}.png"))


def overflow(browser):
    return browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


def check_hostile(browser, page):
    load(browser, page)
    assert "owned" not in browser.title
    assert not browser.find_elements(By.CSS_SELECTOR, "img")
    assert "evil</script><img src=x onerror=alert(1)>'\"&" in browser.page_source.replace("&lt;", "<").replace(
        "&gt;", ">"
    ).replace("&amp;", "&")
    click(browser, "#all tbody a.bad")
    WebDriverWait(browser, 10).until(lambda b: "reductio run --cell" in text_of(b, "#detail"))
    assert not browser.find_elements(By.CSS_SELECTOR, "img")
    check_quiet(browser)


def check_cells(browser, page, run):
    load(browser, page)
    total = len(run["cells"])
    assert f"{total} of {total} cells" in text_of(browser, "#count")
    # Sorting by err/bound: the first click puts the largest first, NaN is last.
    browser.find_element(By.XPATH, "//th/button[text()='err/bound']").click()
    wanted = max(float(cell["error_over_bound"]) for cell in run["cells"] if cell["has_result"])
    assert abs(float(rows(browser)[0][6]) / wanted - 1) < 0.01, rows(browser)[0]
    assert "sort=err" in browser.current_url
    browser.find_element(By.XPATH, "//th/button[text()='err/bound']").click()
    wanted = min(float(cell["error_over_bound"]) for cell in run["cells"] if cell["has_result"])
    assert abs(float(rows(browser)[0][6]) / wanted - 1) < 0.01, rows(browser)[0]
    # Filters.
    browser.execute_script(
        "const field = document.querySelector('[name=finding]'); field.value = 'any failure';"
        "field.dispatchEvent(new Event('input', { bubbles: true }));"
    )
    failed = sum(cell["head"] == "lost elements" for cell in run["cells"])
    assert f"{failed} of {total} cells" in text_of(browser, "#count"), text_of(browser, "#count")
    address = browser.current_url
    load(browser, page, "#" + address.split("#")[1])
    assert f"{failed} of {total} cells" in text_of(browser, "#count"), "the fragment did not bring the filter back"
    click(browser, "#filters button[type=reset]")
    assert f"{total} of {total} cells" in text_of(browser, "#count")
    check_quiet(browser)


def check_links(browser, page, run):
    cell = run["cells"][5]
    load(browser, page, "#c5")
    assert cell["id"] in text_of(browser, "#detail")
    assert "cell=" in browser.current_url and "cell=5" not in browser.current_url, "the fragment names the cell"
    # A link to a cell leaves the filters as they are.
    load(browser, page, "#finding=any+failure")
    shown = text_of(browser, "#count")
    click(browser, "#all tbody a")
    WebDriverWait(browser, 10).until(lambda b: "reductio run --cell" in text_of(b, "#detail"))
    assert text_of(browser, "#count") == shown and "finding=any" in browser.current_url
    load(browser, page, "#v3")
    assert browser.find_element(By.ID, "v3").get_attribute("open")
    load(browser, page)
    square = browser.find_element(By.CSS_SELECTOR, ".map td a")
    index = int(square.get_attribute("href").split("#c")[1])
    browser.execute_script("arguments[0].focus()", square)
    assert "err/bound" in text_of(browser, "#tip") or ":" in text_of(browser, "#tip")
    square.send_keys("\n")
    WebDriverWait(browser, 10).until(lambda b: run["cells"][index]["id"] in text_of(b, "#detail"))
    check_quiet(browser)


def check_charts(browser, page):
    load(browser, page)
    faults = browser.execute_script(
        """return [...document.querySelectorAll('#charts figure')].filter(figure => !figure.querySelector('svg[role=img] > title') ||
            !figure.querySelector('details table tbody tr, details table tr td')).map(figure => figure.textContent.slice(0, 80))"""
    )
    assert not faults, f"charts without a title or the data behind them: {faults}"
    assert browser.execute_script("return document.querySelectorAll('#charts figure').length") >= 4


# What a dichromat sees, in linear RGB (Machado, Oliveira & Fernandes 2009, table 1, severity 1).
VISIONS = {
    "all three cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1, 1.08883)


def transform(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    """Linear RGB of "rgb(0, 151, 193)" (IEC 61966-2-1)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb):
    """CIE 1976 L*, a*, b*, whose distances follow what people tell apart: 2.3 is a just noticeable difference."""
    ratios = [x / w for x, w in zip(transform(TO_XYZ, [min(max(part, 0), 1) for part in rgb]), WHITE)]
    x, y, z = (r ** (1 / 3) if r > 216 / 24389 else (24389 / 27 * r + 16) / 116 for r in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def check_palette(browser, page):
    """Series are told apart without red, green or blue cones, and stand out from what they are drawn on (WCAG 1.4.11)."""
    load(browser, page)
    for theme in ("light", "dark"):
        found = browser.execute_script(
            "document.documentElement.dataset.theme = arguments[0];"
            "const box = document.querySelector('#charts figure > svg'), made = [];"
            "for (let s = 0; s < 8; s++) { const mark = document.createElementNS('http://www.w3.org/2000/svg', 'path');"
            "mark.setAttribute('class', 's' + s); box.append(mark); made.push(getComputedStyle(mark).fill); }"
            "return [made, getComputedStyle(box).backgroundColor]",
            theme,
        )
        colours, ground = [linear(colour) for colour in found[0]], linear(found[1])
        for colour, name in zip(colours, found[0]):
            a, b = sorted(transform(TO_XYZ, part)[1] for part in (colour, ground))
            assert (b + 0.05) / (a + 0.05) >= 3, f"{theme}: {name} does not stand out"
        for vision, matrix in VISIONS.items():
            seen = [lab(transform(matrix, colour)) for colour in colours]
            for i, one in enumerate(seen):
                for j, other in enumerate(seen[:i]):
                    assert math.dist(one, other) > 25, f"{theme}, {vision}: {found[0][i]} looks like {found[0][j]}"


def check_broken_cell(browser, page, run, width):
    """One broken cell among thousands is on the screen, without scrolling sideways."""
    set_width(browser, width)
    load(browser, page)
    broken = [i for i, cell in enumerate(run["cells"]) if cell["head"] == "lost elements"]
    assert len(broken) == 1 and len(run["cells"]) == 7000
    squares = browser.find_elements(By.CSS_SELECTOR, ".map td.cx a")
    assert [square.get_attribute("href").split("#c")[1] for square in squares] == [str(broken[0])]
    inside = browser.execute_script(
        "const square = arguments[0].getBoundingClientRect(), box = arguments[0].closest('.scroll').getBoundingClientRect();"
        "return square.left >= box.left && square.right <= box.right && square.top >= box.top && square.bottom <= box.bottom",
        squares[0],
    )
    assert inside, f"at {width} pixels the broken square lies where one must scroll"
    assert rows(browser)[0][0] == "lost elements"
    assert "lost elements" in text_of(browser, "#failures")


def check_case(browser, page, run):
    """What each variant made of a case is listed once the case is opened."""
    load(browser, page)
    summary = browser.find_element(By.CSS_SELECTOR, "details.case > summary")
    name = summary.find_element(By.TAG_NAME, "b").text
    summary.send_keys("\n")  # from the keyboard
    names = [dataset["values"] for dataset in run["datasets"]]
    wanted = {c["variant"] for c in run["cells"] if c["dataset"] is not None and names[c["dataset"]] == name}
    found = WebDriverWait(browser, 10).until(lambda b: b.find_elements(By.CSS_SELECTOR, "details.case table.worst tbody tr"))
    assert len(found) == len(wanted), (name, len(found), len(wanted))
    link = found[0].find_element(By.TAG_NAME, "a")
    identity = link.get_attribute("title")
    link.send_keys("\n")
    WebDriverWait(browser, 10).until(lambda b: identity in text_of(b, "#detail"))
    check_quiet(browser)


def check_orders(browser, page):
    load(browser, page, "#v0")
    size = browser.execute_script(
        "const box = document.querySelector('#v0 svg.tree use').getBoundingClientRect(); return [box.width, box.height]"
    )
    assert size[0] > 50 and size[1] > 50, f"the order of additions is drawn {size} pixels large"
    check_quiet(browser)


def check_print(browser, page):
    """Nothing stays folded on paper but what the script lists by case."""
    load(browser, page)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    folded = browser.execute_script("return document.querySelectorAll('details:not(.case):not([open])').length")
    assert not folded, f"{folded} sections stay folded in print"


def check_download(browser, page, source):
    with tempfile.TemporaryDirectory() as folder:
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        load(browser, page)
        click(browser, "#download")
        saved = pathlib.Path(folder) / "results.json"
        WebDriverWait(browser, 30).until(lambda b: saved.exists())
        assert saved.read_bytes() == source.read_bytes(), "the download is not the JSON of the run"


def check_theme(browser, page, folder, width):
    load(browser, page)
    light = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    click(browser, "#theme")
    dark = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert light != dark
    shoot(browser, folder, f"dark-{width}", "#map")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.execute_script("return getComputedStyle(document.querySelector('nav')).display") == "none"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def take_screenshots(browser, page, folder, width):
    load(browser, page)
    assert overflow(browser) <= 0, f"at {width} pixels the page is {overflow(browser)} pixels too wide"
    for name in ("top", "failures", "variation", "map", "charts", "cells", "variants", "cases", "legend"):
        if name == "variants":
            click(browser, "details.variant > summary")
        if name == "cases":
            click(browser, "details.case > summary")
        shoot(browser, folder, f"{name}-{width}", None if name == "top" else f"#{name}")
    load(browser, page, "#c5")
    shoot(browser, folder, f"detail-{width}", "#detail")


def check_without_script(page, run, folder):
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile, script=False)
        try:
            browser.get(page.as_uri())
            assert run["verdict"] in text_of(browser, "h1")
            assert "reductio run --cell" in text_of(browser, "#failures")
            assert not browser.find_element(By.ID, "filters").is_displayed()
            assert "Without it" in text_of(browser, ".noscript")
            sections = browser.find_elements(By.CSS_SELECTOR, "details.variant")
            assert len(sections) == len(run["variants"])
            sections[0].find_element(By.TAG_NAME, "summary").click()
            worst = sections[0].find_elements(By.CSS_SELECTOR, "table")[1].find_elements(By.CSS_SELECTOR, "tbody tr")
            assert len(worst) == 20, len(worst)
            check_quiet(browser)
            shoot(browser, folder, "noscript-1280")
        finally:
            browser.quit()


def main(write_sample, folder):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for kind, forms in (("plain", ("html",)), ("one", ("html", "json")), ("7000", ("html", "json")), ("empty", ("html",))):
        files = [word for form in forms for word in (form, str(folder / f"{kind}.{form}"))]
        subprocess.run([write_sample, kind, *files], check=True)
    page, source = folder / "7000.html", folder / "7000.json"
    run = json.loads(source.read_text(encoding="utf-8"))
    size = os.path.getsize(page)
    assert size <= 2 * 2**20, f"the page takes {size} bytes"
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile)
        try:
            check_hostile(browser, folder / "plain.html")
            check_cells(browser, page, run)
            check_links(browser, page, run)
            check_charts(browser, page)
            check_palette(browser, page)
            lonely = json.loads((folder / "one.json").read_text(encoding="utf-8"))
            for width in (400, 1280):
                check_broken_cell(browser, folder / "one.html", lonely, width)
            check_case(browser, page, run)
            check_orders(browser, folder / "plain.html")
            check_print(browser, page)
            check_download(browser, page, source)
            load(browser, folder / "empty.html")
            check_quiet(browser)
            for width in (1280, 400):
                set_width(browser, width)
                take_screenshots(browser, page, folder, width)
                check_theme(browser, page, folder, width)
        finally:
            browser.quit()
    check_without_script(page, run, folder)
    print(f"the page holds: {size} bytes for {len(run['cells'])} cells")


def check_kills(browser, page, folder, width):
    load(browser, page)
    assert overflow(browser) <= 0, f"at {width} pixels the page is {overflow(browser)} pixels too wide"
    faults = browser.find_elements(By.CSS_SELECTOR, "#kills tbody th a")
    assert faults and all(fault.text for fault in faults), "the kill matrix names no faults"
    for fault in faults:
        target = fault.get_attribute("href").split("#")[1]
        assert fault.text in text_of(browser, f"#{target} > summary"), f"{fault.text} leads to {target}"
    hidden = browser.execute_script(
        "const box = document.querySelector('#kills .scroll'); return box.scrollWidth - box.clientWidth"
    )
    assert width < 1280 or hidden <= 0, f"{hidden} pixels of the kill matrix are out of sight"
    shoot(browser, folder, f"kills-{width}", "#kills")


def kills(page, folder):
    page, folder = pathlib.Path(page).resolve(), pathlib.Path(folder).resolve()
    if not page.exists():
        print("skipped: the selftest has left no page")
        sys.exit(77)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile)
        try:
            for width in (1280, 400):
                set_width(browser, width)
                check_kills(browser, page, folder, width)
        finally:
            browser.quit()


if sys.argv[1] == "--kills":
    kills(*sys.argv[2:])
else:
    main(*sys.argv[1:])
