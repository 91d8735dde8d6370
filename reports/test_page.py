# SPDX-License-Identifier: MIT
"""Opens the page in a real browser: test_page.py WRITE_SAMPLE FOLDER, or the page of a selftest: test_page.py --kills PAGE
FOLDER. Exits 77 where there is none. Screenshots of the main views go to FOLDER, for a person to look at."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from browser import By, WebDriverWait, check_quiet, click, load, open_browser, overflow, set_width, shoot, text_of
from palette import check_palette

def rows(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('#all tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )


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


# Labels that the picture's edge cuts, and pairs that stand on each other.
LABELS = """const found = [];
for (const svg of document.querySelectorAll('#charts svg[role=img]')) {
  const box = svg.getBoundingClientRect(), name = svg.querySelector('title').textContent;
  const labels = [...svg.querySelectorAll('text')].map(label => [label.textContent, label.getBoundingClientRect()]);
  labels.forEach(([text, a], i) => {
    if (a.left < box.left - 0.5 || a.right > box.right + 0.5 || a.top < box.top - 0.5 || a.bottom > box.bottom + 0.5)
      found.push(`${name}: ${text} is cut`);
    for (const [other, b] of labels.slice(0, i))
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
        found.push(`${name}: ${text} stands on ${other}`);
  });
}
return found;"""


def check_charts(browser, page):
    load(browser, page)
    faults = browser.execute_script(
        """return [...document.querySelectorAll('#charts figure')].filter(figure => !figure.querySelector('svg[role=img] > title') ||
            !figure.querySelector('details table tbody tr, details table tr td')).map(figure => figure.textContent.slice(0, 80))"""
    )
    assert not faults, f"charts without a title or the data behind them: {faults}"
    assert browser.execute_script("return document.querySelectorAll('#charts figure').length") >= 4
    assert browser.execute_script("return document.querySelectorAll('#charts svg[role=img] text').length") > 50
    unreadable = browser.execute_script(LABELS)
    assert not unreadable, unreadable


def write_of(write_sample, folder, command, change):
    """The page of another command, made from the plain sample."""
    source = folder / "plain.json"
    subprocess.run([write_sample, "plain", "json", str(source)], check=True)
    run = json.loads(source.read_text(encoding="utf-8"))
    run["command"] = command
    change(run)
    changed, page = folder / f"{command}.json", folder / f"{command}.html"
    changed.write_text(json.dumps(run), encoding="utf-8")
    subprocess.run([write_sample, str(changed), "html", str(page)], check=True)
    return page


def leave_the_machine(run):
    run.update(variants=[], datasets=[], cells=[])


def check_other_commands(browser, write_sample, folder):
    """Pages of an array and of the machine: what the reader wants comes first, and the script finds what it needs."""
    for command, change, selector in (("sum", lambda run: None, "#given"), ("hardware", leave_the_machine, "#hardware")):
        page = write_of(write_sample, folder, command, change)
        for width in (1280, 400):
            set_width(browser, width)
            load(browser, page)
            assert overflow(browser) <= 0, f"{command} at {width} pixels is {overflow(browser)} pixels too wide"
            sections = browser.find_elements(By.CSS_SELECTOR, "main > section")
            first = [section for section in sections if section.is_displayed()][0]
            assert "#" + first.get_attribute("id") == selector, first.get_attribute("id")
            shoot(browser, folder, f"{command}-{width}")
        check_quiet(browser)
    set_width(browser, 1280)


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
            check_other_commands(browser, write_sample, folder)
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
    assert "planted faults caught" in text_of(browser, "h1")
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
