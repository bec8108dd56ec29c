"""Firefox as it is installed, driven by WebDriver BiDi over a socket: enough to open pages and to run scripts."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time
from pathlib import Path

from pages import waited_for

PROGRAM = shutil.which("firefox") or shutil.which("firefox-esr")
WAIT = 90  # seconds, for machines with much else to do
SAVES = """user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", "%s");
user_pref("browser.download.always_ask_before_handling_new_types", false);
user_pref("browser.download.alwaysOpenPanel", false);
"""
EVENTS = ("log.entryAdded", "network.beforeRequestSent")


class Firefox:
    """One window of a browser of its own, in a profile that goes with it."""

    def __init__(self, folder, width=1400, height=900):
        self.saves = Path(folder, "saved")
        self.saves.mkdir()
        Path(folder, "user.js").write_text(SAVES % self.saves)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        arguments = [PROGRAM, "--headless", "--no-remote", "--profile", str(folder)]
        self.process = subprocess.Popen(
            [*arguments, "--remote-debugging-port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
        )
        self.socket = self._connected(port)
        self.count = 0
        self.heard = []
        self.ask("session.new", capabilities={})
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("session.subscribe", events=list(EVENTS))
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.window, viewport=size)

    def _connected(self, port):
        until = time.monotonic() + WAIT
        while True:
            try:
                made = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            "GET /session HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
        ]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        made.sendall("\r\n".join(lines).encode())
        self.left = b""
        self.socket = made
        while b"\r\n\r\n" not in self.left:
            self.left += made.recv(4096)
        head, _, self.left = self.left.partition(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head
        return made

    def _take(self, size):
        while len(self.left) < size:
            came = self.socket.recv(65536)
            assert came, "Firefox hung up"
            self.left += came
        taken, self.left = self.left[:size], self.left[size:]
        return taken

    def _message(self):
        """Return the next message, of one frame or several."""
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 127
            if size > 125:
                size = struct.unpack(
                    "!H" if size == 126 else "!Q", self._take(2 if size == 126 else 8)
                )[0]
            text += self._take(size)
            if first & 128:
                return json.loads(text)

    def ask(self, method, **parameters):
        """Send a command and wait for its answer."""
        self.count += 1
        body = json.dumps({"id": self.count, "method": method, "params": parameters}).encode()
        if len(body) < 126:
            size = struct.pack("!BB", 129, 128 | len(body))
        elif len(body) < 65536:
            size = struct.pack("!BBH", 129, 254, len(body))
        else:
            size = struct.pack("!BBQ", 129, 255, len(body))
        mask = os.urandom(4)
        over = (mask * (len(body) // 4 + 1))[: len(body)]
        masked = int.from_bytes(body) ^ int.from_bytes(over)
        self.socket.sendall(size + mask + masked.to_bytes(len(body)))
        while (said := self._message()).get("id") != self.count:
            self.heard.append(said)
        assert said["type"] == "success", said
        return said["result"]

    def events(self, method):
        """Return what was said of some kind so far."""
        return [said["params"] for said in self.heard if said.get("method") == method]

    def open(self, address):
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def run(self, script):
        """Evaluate JavaScript in the page; a promise is waited for."""
        made = self.ask(
            "script.evaluate", expression=script, target={"context": self.window}, awaitPromise=True
        )
        assert made["type"] == "success", made
        return made["result"].get("value")

    def downloaded(self):
        """Wait for a file that is saved whole."""

        def whole():
            found = list(self.saves.iterdir())
            return len(found) == 1 and found[0].stat().st_size > 0

        waited_for(whole, "a file is saved", WAIT)
        return next(self.saves.iterdir())

    def node(self, selector):
        locator = {"type": "css", "value": selector}
        found = self.ask("browsingContext.locateNodes", context=self.window, locator=locator)
        return {"sharedId": found["nodes"][0]["sharedId"]}

    def choose(self, selector, *paths):
        """Give files to a field."""
        files = [str(path) for path in paths]
        self.ask("input.setFiles", context=self.window, element=self.node(selector), files=files)

    def click(self, selector):
        """Move the mouse there and press it."""
        self.run(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        over = {"type": "element", "element": self.node(selector)}
        acts = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": over},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": acts})

    def keys(self, *pressed):
        """Press keys, one after the other."""
        acts = [{"type": kind, "value": k} for k in pressed for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": acts})

    def _act(self, *sources):
        self.ask("input.performActions", context=self.window, actions=list(sources))

    def picture(self, path):
        said = self.ask("browsingContext.captureScreenshot", context=self.window)
        path.write_bytes(base64.b64decode(said["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
