"""Firefox as it is installed, driven by WebDriver BiDi over a socket: enough to open pages and to run scripts."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time

PROGRAM = shutil.which("firefox") or shutil.which("firefox-esr")
WAIT = 90  # seconds, for machines with much else to do


class Firefox:
    """One window of a browser of its own, in a profile that goes with it."""

    def __init__(self, folder):
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
        self.ask("session.new", capabilities={})
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

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
            self.left += self.socket.recv(65536)
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
        size = (
            struct.pack("!BB", 129, 128 | len(body))
            if len(body) < 126
            else struct.pack("!BBH", 129, 254, len(body))
        )
        mask = os.urandom(4)
        self.socket.sendall(size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(body)))
        while (said := self._message()).get("id") != self.count:
            pass
        assert said["type"] == "success", said
        return said["result"]

    def open(self, address):
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def run(self, script):
        """Evaluate JavaScript in the page; a promise is waited for."""
        made = self.ask(
            "script.evaluate", expression=script, target={"context": self.window}, awaitPromise=True
        )
        assert made["type"] == "success", made
        return made["result"].get("value")

    def wait_for(self, condition):
        until = time.monotonic() + WAIT
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < until, condition
            time.sleep(0.2)

    def choose(self, selector, path):
        """Give a file to a field."""
        found = self.ask(
            "browsingContext.locateNodes",
            context=self.window,
            locator={"type": "css", "value": selector},
        )
        node = {"sharedId": found["nodes"][0]["sharedId"]}
        self.ask("input.setFiles", context=self.window, element=node, files=[str(path)])

    def picture(self, path):
        said = self.ask("browsingContext.captureScreenshot", context=self.window)
        path.write_bytes(base64.b64decode(said["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
