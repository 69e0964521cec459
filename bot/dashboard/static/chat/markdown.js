// Markdown of the assistant as it streams: nodes are only added, and nothing in it can load or run.
import * as smd from "../vendor/smd.js";
import "../vendor/purify.js";

const BLOCKS = new Set(["P", "LI", "H1", "H2", "H3", "H4", "H5", "H6", "BLOCKQUOTE", "TD", "TH"]);
const ALLOWED = {
  ALLOWED_TAGS: "div p br hr strong em s code pre ul ol li blockquote table thead tbody tr th td a span h3 h4".split(" "),
  ALLOWED_ATTR: ["href", "rel", "target", "dir", "start", "class"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  IN_PLACE: true,
};

/** Streams one message into `root`; `feed` takes the whole text so far, as often as it grows. */
export class Writer {
  constructor(root) {
    this.root = root;
    this.#begin();
  }

  feed(text, done) {
    if (!text.startsWith(this.written)) this.#begin();
    if (text.length > this.written.length) {
      smd.parser_write(this.parser, text.slice(this.written.length));
      this.written = text;
      if (hebrew(this.root)) direct(this.root);
    }
    if (done && !this.ended) this.#end();
  }

  #begin() {
    this.root.replaceChildren();
    this.parser = smd.parser(renderer(this.root));
    this.written = "";
    this.ended = false;
  }

  #end() {
    smd.parser_end(this.parser);
    this.ended = true;
    globalThis.DOMPurify.sanitize(this.root, ALLOWED);
  }
}

function renderer(root) {
  const base = smd.default_renderer(root);
  return {
    ...base,
    add_token(data, type) {
      if (type === smd.IMAGE) type = smd.CODE_INLINE; // a remote image would carry data out
      if (type === smd.EQUATION_BLOCK || type === smd.EQUATION_INLINE) type = smd.CODE_INLINE;
      if (type === smd.HEADING_1 || type === smd.HEADING_2) type = smd.HEADING_3;
      if (type === smd.HEADING_5 || type === smd.HEADING_6) type = smd.HEADING_4;
      base.add_token(data, type);
      const node = data.nodes[data.index];
      if (BLOCKS.has(node.tagName)) node.dir = "auto";
    },
    add_text(data, text) {
      // Between Hebrew words 7:00–8:00 would turn round.
      base.add_text(data, hebrew(root) ? text.replaceAll("–", "\u200E–\u200E") : text);
    },
    set_attr(data, type, value) {
      const node = data.nodes[data.index];
      if (type === smd.START) node.setAttribute("start", value);
      if (type === smd.CHECKED) node.setAttribute("checked", "");
      if (type === smd.HREF) link(node, value);
    },
  };
}

function hebrew(root) {
  return getComputedStyle(root.parentElement).direction === "rtl";
}

/** In a Hebrew page a Hebrew line is one also where a class's Latin name begins it. */
function direct(root) {
  for (const node of root.querySelectorAll("[dir]")) {
    const own = node.textContent.match(/\p{Script=Hebrew}/gu)?.length ?? 0;
    const latin = node.textContent.match(/\p{Script=Latin}/gu)?.length ?? 0;
    node.dir = own * 1.5 > latin ? "rtl" : "auto"; // as the server weighs them
  }
}

/** Links lead into this dashboard, or to a phone; any other address is shown and not followed. */
function link(node, value) {
  const url = URL.canParse(value, location.href) ? new URL(value, location.href) : null;
  if (url?.origin === location.origin || url?.protocol === "tel:") {
    node.href = url.href;
    node.rel = "noopener noreferrer";
    return;
  }
  if (node.textContent && node.textContent !== value) {
    const address = document.createElement("span");
    address.className = "address";
    address.textContent = ` (${value})`;
    node.append(address);
  }
}
