// Speaks with the page's own server. What goes wrong is an error with a sentence to show.

const GONE = "The server does not answer. Is it still running? Start it again with credibly app, and open the file again.";

/** What the server, or its absence, said. */
export class ServerError extends Error {
  /** @param {string} sentence @param {number} status @param {any} details */
  constructor(sentence, status = 0, details = null) {
    super(sentence);
    this.status = status;
    this.details = details;
  }
}

export class Server {
  /** @param {any} known token, limit, formats, examples */
  constructor(known) {
    this.known = known;
  }

  /** Call the server; JSON comes back as an object, all else as the answer itself.
   *  @param {string} path @param {object|null} body null to get @param {{method?: string, signal?: AbortSignal}} more */
  async call(path, body = null, { method, signal } = {}) {
    const headers = { Authorization: `Bearer ${this.known.token}` };
    if (body) headers["Content-Type"] = "application/json";
    const options = { method: method ?? (body ? "POST" : "GET"), headers, signal, body: body ? JSON.stringify(body) : undefined };
    let answer = null;
    try {
      answer = await fetch(`api/${path}`, options);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ServerError(GONE);
    }
    if (!answer.ok) throw await refused(answer);
    const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
    return isJson ? answer.json() : answer;
  }

  /** Send a file. @param {string} path @param {File} file @param {(share: number) => void} progress */
  send(path, file, progress) {
    return new Promise((done, failed) => {
      const request = new XMLHttpRequest(); // fetch does not tell how far an upload is
      request.open("POST", `api/${path}`);
      request.setRequestHeader("Authorization", `Bearer ${this.known.token}`);
      request.upload.onprogress = (event) => progress(event.loaded / event.total);
      request.onerror = () => failed(new ServerError(GONE));
      request.onload = () => {
        const answer = parsed(request.responseText);
        if (request.status < 400) done(answer);
        else failed(new ServerError(answer.error ?? `The server refused (${request.status}).`, request.status, answer.details));
      };
      request.send(file);
    });
  }
}

/** @param {Response} answer */
async function refused(answer) {
  const said = parsed(await answer.text());
  return new ServerError(said.error ?? `The server refused (${answer.status}).`, answer.status, said.details);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: "The server's answer cannot be read." };
  }
}
