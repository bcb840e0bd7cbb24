//! A browser as a person has it: Chromium, driven through ChromeDriver by the WebDriver protocol.
//!
//! The protocol is JSON over HTTP, of which a few lines are enough.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// If this is set, the tests that want a browser are left out.
pub(crate) const WITHOUT: &str = "EVERYWAY_WITHOUT_BROWSER";
/// The key of elements in answers, as the protocol has it.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// How long something that a page does by itself may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A window of a browser.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

/// An element of a page.
#[derive(Clone)]
pub(crate) struct Element(String);

/// Keys as the protocol spells them.
pub(crate) mod key {
    pub(crate) const UP: &str = "\u{e013}";
    pub(crate) const DOWN: &str = "\u{e015}";
    pub(crate) const LEFT: &str = "\u{e012}";
    pub(crate) const HOME: &str = "\u{e011}";
    pub(crate) const END: &str = "\u{e010}";
    pub(crate) const PAGE_DOWN: &str = "\u{e00f}";
    pub(crate) const ENTER: &str = "\u{e007}";
    pub(crate) const ESCAPE: &str = "\u{e00c}";
}

impl Browser {
    /// A new window, or nothing if the user wants these tests left out.
    pub(crate) fn open() -> Option<Self> {
        if std::env::var_os(WITHOUT).is_some_and(|value| !value.is_empty()) {
            return None;
        }
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!(
                    "chromedriver cannot be started ({error}): install Chromium and its driver (on Debian: apt-get \
                     install chromium chromium-driver), or set {WITHOUT}=1 to leave the tests of the page out"
                )
            });
        let lines = BufReader::new(driver.stdout.take().expect("the output is piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("chromedriver says on which port it is");
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut browser = Self { driver, port, session: String::new(), _profile: profile };
        let arguments = [
            "--headless".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--window-size=1400,900".to_owned(),
            format!("--user-data-dir={}", browser._profile.path().display()),
        ];
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let session = browser.ask("POST", "/session", &capabilities).unwrap_or_else(|error| {
            panic!("Chromium cannot be started by chromedriver; on Debian: apt-get install chromium: {error}")
        });
        browser.session = session["sessionId"].as_str().expect("an id of the session").to_owned();
        Some(browser)
    }

    /// Opens a file.
    pub(crate) fn open_file(&self, path: &Path) {
        self.post("/url", &json!({"url": format!("file://{}", path.display())}));
    }

    /// The first element that a selector of CSS finds, which is waited for.
    #[track_caller]
    pub(crate) fn find(&self, selector: &str) -> Element {
        let started = Instant::now();
        loop {
            if let Some(element) = self.find_all(selector).into_iter().next() {
                return element;
            }
            assert!(started.elapsed() < PATIENCE, "there is no {selector}");
            sleep(Duration::from_millis(50));
        }
    }

    /// All elements that a selector of CSS finds.
    pub(crate) fn find_all(&self, selector: &str) -> Vec<Element> {
        let found = self.post("/elements", &json!({"using": "css selector", "value": selector}));
        let ids = found.as_array().expect("a list").iter().map(|element| element[ELEMENT].as_str());
        ids.map(|id| Element(id.expect("an id").to_owned())).collect()
    }

    /// The text of an element as it is seen.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        self.get(&format!("/element/{}/text", self.find(selector).0)).as_str().expect("a text").to_owned()
    }

    /// What a screen reader calls an element: its role and its name.
    #[track_caller]
    pub(crate) fn spoken(&self, selector: &str) -> (String, String) {
        let element = self.find(selector).0;
        let ask = |what: &str| self.get(&format!("/element/{element}/{what}")).as_str().expect("a text").to_owned();
        (ask("computedrole"), ask("computedlabel"))
    }

    /// Clicks on an element.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let element = self.find(selector);
        self.post(&format!("/element/{}/click", element.0), &json!({}));
    }

    /// Types into an element.
    #[track_caller]
    pub(crate) fn type_into(&self, selector: &str, keys: &str) {
        let element = self.find(selector);
        self.post(&format!("/element/{}/value", element.0), &json!({"text": keys}));
    }

    /// Presses a key, wherever the focus is.
    pub(crate) fn press(&self, key: &str) {
        let actions = [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// Chooses what a selection element shows as `text`.
    #[track_caller]
    pub(crate) fn choose(&self, selector: &str, text: &str) {
        let options =
            self.run(&format!("return [...document.querySelectorAll('{selector} option')].map((o) => o.text)"));
        let options: Vec<&str> = options.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let position = options.iter().position(|option| *option == text);
        let position = position.unwrap_or_else(|| panic!("no {text} among {options:?}"));
        self.click(&format!("{selector} option:nth-child({})", position + 1));
    }

    /// What a script answers that the tester runs; the page's policy does not concern it.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// What the browser's own tools answer to a command.
    #[track_caller]
    pub(crate) fn command(&self, name: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", &json!({"cmd": name, "params": parameters}))
    }

    /// How many milliseconds of a processor the page takes for each of so many pictures, before each of which it does what
    /// `script` says with their number `i`. The time of other programs does not count.
    pub(crate) fn frame(&self, pictures: u32, script: &str) -> f64 {
        self.command("Performance.enable", json!({"timeDomain": "threadTicks"}));
        let spent = || {
            let metrics = self.command("Performance.getMetrics", json!({}));
            let metrics = metrics["metrics"].as_array().expect("a list").iter();
            let tasks = metrics.filter(|metric| metric["name"] == "TaskDuration");
            tasks.filter_map(|metric| metric["value"].as_f64()).sum::<f64>() * 1000.0
        };
        let before = spent();
        self.run(&format!(
            "const frame = () => new Promise((resolve) => requestAnimationFrame(resolve)); \
             return (async () => {{ for (let i = 0; i < {pictures}; i++) {{ {{ {script} }} await frame(); }} }})();"
        ));
        (spent() - before) / f64::from(pictures)
    }

    /// What the browser has complained about since the last time.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().expect("a list").iter();
        entries.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Saves what is seen as a picture.
    pub(crate) fn screenshot(&self, path: &Path) {
        let picture = self.get("/screenshot");
        std::fs::write(path, from_base64(picture.as_str().expect("a picture"))).expect("a file for the picture");
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}{path}", self.session);
        self.ask("POST", &path, body).unwrap_or_else(|error| panic!("{path} {body}: {error}"))
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        let path = format!("/session/{}{path}", self.session);
        self.ask("GET", &path, &Value::Null).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.port,
            body.len()
        );
        let fails = |error: std::io::Error| format!("chromedriver does not answer: {error}");
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(fails)?;
        stream.set_read_timeout(Some(Duration::from_secs(120))).map_err(fails)?;
        stream.write_all(request.as_bytes()).map_err(fails)?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).map_err(fails)?;
            let line = line.trim_end().to_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().map_err(|_| format!("no length: {line}"))?;
            }
            if line.is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).map_err(fails)?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
        match answer["value"].get("error") {
            Some(error) => Err(format!("{error}: {}", answer["value"]["message"])),
            None => Ok(answer["value"].clone()),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.ask("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.bytes().filter(|&c| c != b'=').map(|c| u32::from(digit(c))).collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let bits = four.iter().enumerate().fold(0, |bits, (position, digit)| bits | digit << (18 - 6 * position));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}
