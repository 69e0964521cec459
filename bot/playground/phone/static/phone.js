// The demo phone: two threads of one number, written to and read through our own server.
const csrf = document.querySelector("meta[name=csrf]").content;
const thread = document.querySelector(".thread");
const box = document.querySelector(".write textarea");
const quote = document.querySelector(".quote");
const tabs = [...document.querySelectorAll("[data-channel]")];
const messages = new Map();
const drawn = new Map();
let channel = sessionStorage.getItem("spotter.phone") ?? "whatsapp";
let quoted = null;
let last = 0;
let opened = false;

const HIDDEN = new Set(["queued", "accepted", "sending", "failed", "undelivered", "canceled"]);

async function ask(path, body, base = "/playground") {
  const options = body
    ? { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf } }
    : {};
  const answer = await fetch(`${base}/${path}`, { ...options, cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** What is on the phone: what it sent, and what has reached it. */
const onPhone = (one) => one.direction === "inbound" || !HIDDEN.has(one.status);

function draw() {
  const shown = [...messages.values()].filter((one) => one.channel === channel && onPhone(one));
  shown.sort((a, b) => a.at.localeCompare(b.at));
  const nodes = shown.flatMap(kept);
  if (nodes.length !== thread.children.length || nodes.some((node, place) => node !== thread.children[place])) {
    thread.replaceChildren(...nodes);
    thread.scrollTop = thread.scrollHeight;
  }
  for (const tab of tabs) tab.setAttribute("aria-selected", String(tab.dataset.channel === channel));
  tabs.find((tab) => tab.dataset.channel === channel).querySelector("i").hidden = true;
}

/** What a message looks like, made anew only when something of it has changed. */
function kept(one, place, all) {
  const open = one.buttons.length > 0 && !answered(one, all.slice(place + 1));
  const mark = [one.body, one.quoted_sid, messages.has(one.quoted_sid), quoted === one.sid, open].join("|");
  if (drawn.get(one.sid)?.mark !== mark) drawn.set(one.sid, { mark, nodes: bubble(one, open) });
  return drawn.get(one.sid).nodes;
}

function bubble(one, open) {
  const mine = one.direction === "inbound";
  const root = element("div", `message${mine ? " mine" : ""}${quoted === one.sid ? " chosen" : ""}`);
  const cited = messages.get(one.quoted_sid);
  if (cited) root.append(element("div", "cited", cited.body));
  const body = element("div", "body");
  body.dir = "auto";
  if (one.channel === "whatsapp") body.append(...marked(one.body));
  else body.textContent = one.body;
  const meta = element("div", "meta");
  const time = new Date(one.at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
  meta.append(element("span", "", time));
  if (one.channel === "sms" && one.num_segments > 1) meta.append(element("span", "", `SMS ×${one.num_segments}`));
  root.append(body, meta);
  root.addEventListener("click", () => cite(one));
  return open && !mine ? [root, replies(one)] : [root];
}

const answered = (one, later) => later.some((next) => next.direction === "inbound");

function replies(one) {
  const root = element("div", "replies");
  for (const button of one.buttons) {
    const node = element("button", "", button.title);
    node.type = "button";
    if (button.description) node.append(element("small", "", button.description));
    node.addEventListener("click", () => send({ body: button.title, button_payload: button.id, quoted_sid: one.sid }));
    root.append(node);
  }
  return root;
}

/** WhatsApp's own marks, as nodes: *bold*, _italic_, ~struck~, `code`. */
function marked(text) {
  const tags = { "*": "strong", _: "em", "~": "s", "`": "code" };
  const pattern = /(?<![\p{L}\p{N}])([*_~`])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu;
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    nodes.push(text.slice(from, found.index));
    const inner = element(tags[found[1]]);
    inner.append(...(found[1] === "`" ? [found[2]] : marked(found[2])));
    nodes.push(inner);
    from = found.index + found[0].length;
  }
  return [...nodes, text.slice(from)];
}

function element(name, style = "", text = "") {
  const node = document.createElement(name);
  if (style) node.className = style;
  if (text) node.textContent = text;
  return node;
}

function cite(one) {
  quoted = one && quoted !== one.sid ? one.sid : null;
  quote.hidden = !quoted;
  quote.querySelector("span").textContent = one?.body ?? "";
  draw();
  if (quoted) box.focus();
}

async function send(what) {
  const sent = { channel, body: "", button_payload: "", quoted_sid: quoted ?? "", ...what };
  cite(null);
  await ask("phone/send", sent).catch(() => {});
  await load();
}

async function load() {
  const found = await ask("phone/thread");
  for (const one of found.messages) {
    const before = messages.get(one.sid);
    if (one.direction !== "inbound" && onPhone(one) && one.channel !== channel && (!before || !onPhone(before)) && opened)
      tabs.find((tab) => tab.dataset.channel === one.channel).querySelector("i").hidden = false;
    messages.set(one.sid, one);
  }
  draw();
}

async function follow() {
  await load().catch(() => {});
  opened = true; // what was there before is no news
  while (true) {
    try {
      const news = await ask(`phone/events?after=${last}`);
      if (news.last < last) messages.clear(); // the stand-in was started anew
      const moved = news.last !== last;
      if (moved) await load();
      last = news.last;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

document.querySelector(".write").addEventListener("submit", (event) => {
  event.preventDefault();
  const body = box.value.trim();
  if (!body) return;
  box.value = "";
  send({ body });
});
box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  box.form.requestSubmit();
});
quote.querySelector("button").addEventListener("click", () => cite(null));
for (const tab of tabs)
  tab.addEventListener("click", () => {
    channel = tab.dataset.channel;
    sessionStorage.setItem("spotter.phone", channel);
    cite(null);
  });
for (const button of document.querySelectorAll("[data-show]"))
  button.addEventListener("click", () => {
    document.body.dataset.view = button.dataset.show;
    for (const other of document.querySelectorAll("[data-show]"))
      other.setAttribute("aria-pressed", String(other === button));
    draw();
  });
for (const button of document.querySelectorAll("[data-language]"))
  button.addEventListener("click", async () => {
    await ask("me/language", { language: button.dataset.language }, "/api/v1");
    location.reload();
  });

await load().catch(() => {});
follow();
