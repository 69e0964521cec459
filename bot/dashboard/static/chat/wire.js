// The chat's wire: JSON calls, and event streams that come back where they broke off.
// EventSource can't send an Authorization header, so the streams are read with fetch.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PASSING = new Set([401, 429]);

/** An answer that is no success: the server's code and its sentence for the person. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? "");
    this.status = status;
    this.code = problem?.code ?? "unavailable";
  }
}

export class Wire {
  /**
   * `token()` gives a bearer token, or "" where the page's cookie and CSRF word count.
   * `expired()` is told when neither counts any more; streams go on trying, with the new one.
   */
  constructor(base, { token = () => "", csrf = () => "", expired = () => {} } = {}) {
    this.base = base;
    this.token = token;
    this.csrf = csrf;
    this.expired = expired;
  }

  get(path) {
    return this.#call(path, { method: "GET" });
  }

  post(path, body = {}) {
    return this.#call(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  }

  /**
   * Read a stream until the server ends it, over as many connections as it takes.
   * `each(event, id)` gets AG-UI events; `id` is null inside a group that belongs together.
   */
  async follow(path, { from = null, each, signal, line = () => {} }) {
    let last = from;
    let wait = FIRST_WAIT;
    while (!signal.aborted) {
      let came = false;
      try {
        const headers = { Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) };
        const response = await this.#fetch(path, { headers, signal });
        if (!response.ok) throw await this.#refused(response);
        line(true);
        for await (const { id, event, data } of frames(response.body)) {
          came = true;
          if (event === "end") return last;
          if (event === "reconnect") break;
          if (!data) continue;
          each(JSON.parse(data), id);
          if (id) last = id;
        }
      } catch (error) {
        if (signal.aborted) return last;
        if (error instanceof Refused && !PASSING.has(error.status) && error.status < 500) throw error;
        line(false);
      }
      wait = came ? FIRST_WAIT : Math.min(wait * 2, LONGEST_WAIT);
      await pause(wait * (0.5 + Math.random() / 2), signal);
    }
    return last;
  }

  async #call(path, options) {
    const response = await this.#fetch(path, options);
    if (!response.ok) throw await this.#refused(response);
    return response.status === 204 ? null : response.json();
  }

  #refused(response) {
    if (response.status === 401) this.expired();
    return refusal(response);
  }

  #fetch(path, options) {
    const token = this.token();
    const proof = token ? { Authorization: `Bearer ${token}` } : { "X-CSRF-Token": this.csrf() };
    return fetch(this.base + path, {
      credentials: "same-origin",
      cache: "no-store",
      ...options,
      headers: { Accept: "application/json", ...proof, ...options.headers },
    });
  }
}

async function refusal(response) {
  try {
    return new Refused(response.status, await response.json());
  } catch {
    return new Refused(response.status, null);
  }
}

async function* frames(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const part of parts) yield frame(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function frame(text) {
  const found = { id: null, event: "message", data: "" };
  for (const row of text.split("\n")) {
    const colon = row.indexOf(":");
    if (colon <= 0) continue;
    const name = row.slice(0, colon);
    const value = row.slice(colon + 1).replace(/^ /, "");
    if (name === "data") found.data += value;
    else if (name in found) found[name] = value;
  }
  return found;
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
