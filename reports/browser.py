# SPDX-License-Identifier: MIT
"""A real browser for the tests of pages. Exits 77 where selenium, chromium or chromedriver is absent."""
import json
import shutil
import sys

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


def click(browser, selector):
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def shoot(browser, folder, name, selector=None):
    if selector:
        browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", selector)
    browser.save_screenshot(str(folder / f"{name}.png"))


def overflow(browser):
    return browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
