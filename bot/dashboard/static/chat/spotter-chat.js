// <spotter-chat>: the whole chat as one element, for our dashboard and for anybody else's.
//
// Attributes: `base` (address of the API, "/api/v1"), `csrf` or `token` (proof of who it is), `language`,
// `words` (JSON of the interface's words; fetched when missing), `page` (what the person is looking at; else the address).
// Properties: `selection` {type, id, label}: what "this" means. Events: `spotter-changed` after each write,
// `spotter-expired` when the token or the session is over.
import { LitElement, html, nothing } from "../vendor/lit-element.js";
import { repeat } from "../vendor/repeat.js";
import { cardStyle } from "./card_style.js";
import { callCard, questionCard, toast } from "./cards.js";
import { composerStyle } from "./composer_style.js";
import { icons } from "./icons.js";
import { Writer } from "./markdown.js";
import { Session } from "./session.js";
import { frame, tokens } from "./style.js";

const RTL = new Set(["he", "ar", "fa"]);
const NEAR_END = 80;
const RING = 15_000;
const FEW = 6; // of what is worth a look, on an empty page

export class SpotterChat extends LitElement {
  static properties = {
    base: {},
    csrf: {},
    token: {},
    language: { reflect: true },
    page: {},
    selection: { attribute: false },
    words: { converter: { fromAttribute: (text) => JSON.parse(text || "{}") } },
    text: { state: true },
    away: { state: true },
    pastOpen: { state: true },
  };
  static styles = [tokens, frame, cardStyle, composerStyle];

  constructor() {
    super();
    Object.assign(this, { base: "/api/v1", csrf: "", token: "", language: "en", page: "" });
    Object.assign(this, { selection: null, words: {}, text: "", away: false, pastOpen: false });
    this.writers = new WeakMap();
    this.session = new Session(this);
    this.undo = this.undo.bind(this);
    this.dropToast = () => this.session.dropToast();
  }

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener("keydown", this.#escape);
    addEventListener("pointerdown", this.#elsewhereClicked);
    this.tick = setInterval(() => {
      if (this.session.elsewhere.length) this.session.refreshOpen();
      else if (this.session.open.length) this.requestUpdate();
    }, 20_000);
    this.session.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removeEventListener("keydown", this.#escape);
    removeEventListener("pointerdown", this.#elsewhereClicked);
    clearInterval(this.tick);
    this.session.end();
  }

  /** Say something, as if the person had typed it. */
  say(text) {
    this.pastOpen = false;
    this.session.say(text);
  }

  /** Start a turn from a playbook {name, title}, as an insight card of any page does. */
  start(idea) {
    this.pastOpen = false;
    this.stick = true;
    this.session.start(idea);
  }

  answer(card, choice) {
    this.session.answer(card, choice);
  }

  toggle(card, n) {
    card.chosen.has(n) ? card.chosen.delete(n) : card.chosen.add(n);
    this.requestUpdate();
  }

  undo(offer, call) {
    this.session.undo(offer, call);
  }

  stopTask(call) {
    this.session.stopTask(call);
  }

  leave() {
    this.renderRoot.querySelector("textarea")?.focus();
  }

  /** What the session calls when something new came. */
  changed({ say, asks, wrote } = {}) {
    this.requestUpdate();
    if (say) this.#announce(say);
    if (asks) this.updateComplete.then(() => this.#show(asks));
    if (wrote) this.dispatchEvent(new CustomEvent("spotter-changed", { bubbles: true, composed: true }));
  }

  /** The proof of who it is counts no more: a host gives another token, our page shows the door. */
  expired() {
    this.dispatchEvent(new CustomEvent("spotter-expired", { bubbles: true, composed: true }));
  }

  #announce(text) {
    const status = this.renderRoot.querySelector(".announcer");
    if (status) status.textContent = text;
  }

  /** Focus goes to a new card only where that interrupts nothing. */
  #show(id) {
    const card = this.renderRoot.querySelector(`[data-question="${id}"]`);
    card?.scrollIntoView({ block: "nearest" });
    const inside = this.shadowRoot.activeElement;
    if (!this.text && inside?.localName === "textarea") card?.focus({ preventScroll: true });
  }

  #escape = (event) => {
    if (event.key !== "Escape") return;
    if (this.pastOpen) this.pastOpen = false;
    else if (this.session.story.running) this.session.stop();
  };

  #elsewhereClicked = (event) => {
    const list = [".past", "[aria-expanded]"].map((name) => this.renderRoot.querySelector(name));
    if (this.pastOpen && !event.composedPath().some((node) => list.includes(node))) this.pastOpen = false;
  };

  willUpdate() {
    const log = this.renderRoot?.querySelector(".log");
    this.stick = !log || log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
  }

  updated() {
    for (const node of this.renderRoot.querySelectorAll(".said")) this.#write(node);
    const log = this.renderRoot.querySelector(".log");
    this.#wind();
    if (this.stick) log.scrollTop = log.scrollHeight;
    this.renderRoot.querySelector(".latest")?.toggleAttribute("hidden", this.stick);
  }

  #write(node) {
    if (!this.writers.has(node)) this.writers.set(node, new Writer(node));
    this.writers.get(node).feed(node.item.text, node.item.done);
  }

  get now() {
    return this.session.now();
  }

  /** The ring shows what is left of the fifteen seconds, also on a page that came late. */
  #wind() {
    const ring = this.renderRoot.querySelector(".ring .left");
    if (!ring || ring.wound) return;
    ring.wound = true;
    const left = new Date(this.session.offer.until) - this.now;
    ring.style.animationDelay = `${Math.min(0, left - RING)}ms`;
  }

  /** The page that a message is said on. */
  get where() {
    return (this.page || location.pathname + location.search).slice(0, 300);
  }

  get direction() {
    return RTL.has(this.language) ? "rtl" : "ltr";
  }

  render() {
    this.dir = this.direction;
    const { story, offer, elsewhere } = this.session;
    const turns = [...story.turns.values()];
    return html`
      ${this.#header()}
      ${this.away ? html`<div class="banner" role="status">${this.words.offline}</div>` : nothing}
      <div class="log" @scroll=${this.#scrolled}>
        <div class="flow" aria-busy=${story.running}>
          ${elsewhere.length ? this.#elsewhere(elsewhere) : nothing}
          ${turns.length || !this.session.ready ? nothing : this.#empty()}
          ${repeat(turns, (turn) => turn.id, (turn) => this.#turn(turn))}
        </div>
      </div>
      <div class="announcer hidden" role="status"></div>
      <footer>
        <button class="latest" hidden aria-label=${this.words.latest} @click=${this.#toEnd}>${icons.down}</button>
        ${offer ? repeat([offer], (one) => one.call_id, (one) => toast(one, this)) : nothing}
        ${this.#composer(story)}
      </footer>
    `;
  }

  #header() {
    return html`<header>
        <h2 dir="auto">${this.session.title || this.words.chat}</h2>
        <button class="quiet" aria-label=${this.words.conversations} title=${this.words.conversations}
          aria-expanded=${this.pastOpen} @click=${this.#togglePast}>${icons.list}</button>
        <button class="quiet" aria-label=${this.words.new_chat} title=${this.words.new_chat}
          @click=${() => this.session.fresh()}>${icons.fresh}</button>
      </header>
      ${this.pastOpen ? this.#past() : nothing}`;
  }

  #past() {
    const { past, conversation } = this.session;
    return html`<ul class="past">
      ${past.map(
        (one) => html`<li>
          <button aria-current=${one.id === conversation ? "true" : nothing} @click=${() => this.#open(one.id)}>
            <span dir="auto">${one.title || this.words.untitled}</span><time>${one.when}</time>
          </button>
        </li>`,
      )}
      ${past.length ? nothing : html`<li class="more">${this.words.no_conversations}</li>`}
    </ul>`;
  }

  #open(id) {
    this.pastOpen = false;
    this.session.openConversation(id);
  }

  #togglePast = async () => {
    if (!this.pastOpen) await this.session.loadPast();
    this.pastOpen = !this.pastOpen;
  };

  #empty() {
    const examples = (this.words.examples ?? "").split("\n").filter(Boolean);
    return html`<div class="empty">
      <h3>${this.words.empty_title}</h3>
      <p>${this.words.empty_text}</p>
      ${examples.map(
        (example) => html`<button class="example" dir="auto" @click=${() => this.say(example)}>${example}</button>`,
      )}
      ${this.session.ideas.length
        ? html`<h4>${this.words.ideas}</h4>${this.#ideas(this.session.ideas.slice(0, FEW))}`
        : nothing}
    </div>`;
  }

  #ideas(ideas) {
    return html`<div class="chips" role="group" aria-label=${this.words.ideas}>
      ${ideas.map((idea) => html`<button class="chip" dir="auto" @click=${() => this.start(idea)}>${idea.title}</button>`)}
    </div>`;
  }

  /** What may be said next, as long as nothing else was. */
  #next(turn) {
    if (!turn.next.length || turn.running || turn !== [...this.session.story.turns.values()].at(-1)) return nothing;
    return html`<div class="chips">
      ${turn.next.map((step) => html`<button class="chip" dir="auto" @click=${() => this.say(step)}>${step}</button>`)}
    </div>`;
  }

  #elsewhere(cards) {
    return html`<div class="elsewhere">
      <h3>${this.words.elsewhere}</h3>
      ${repeat(cards, (card) => card.id, (card) => questionCard(card, this))}
    </div>`;
  }

  #turn(turn) {
    const waits = turn.running && !this.#moving(turn);
    return html`${repeat(turn.items, (item) => item.type + item.id, (item) => this.#item(item, turn))}
    ${waits
      ? html`<div class="thinking" role="img" aria-label=${this.words.working}><i></i><i></i><i></i></div>`
      : nothing}
    ${this.#next(turn)}`;
  }

  #moving(turn) {
    const last = turn.items.at(-1);
    return (last?.type === "said" && !last.done) || (last?.type === "call" && !last.view && !last.waits);
  }

  #item(item, turn) {
    switch (item.type) {
      case "user":
        return html`<div class="mine ${item.local ? "local" : ""}" dir="auto">${item.text}</div>`;
      case "said":
        return html`<div class="said" dir="auto" .item=${item}></div>`;
      case "line":
        return html`<div class="line">${item.text}</div>`;
      case "call":
        return callCard(item, this, !turn.running);
      case "card":
        return questionCard(item, this);
      case "ideas":
        return this.#ideas(item.ideas);
      default:
        return html`<div class="error" role="alert">${icons.failed}<span>${item.text}</span>
          ${turn.text
            ? html`<button class="plain" @click=${() => this.say(turn.text)}>${this.words.retry}</button>`
            : nothing}</div>`;
    }
  }

  #composer(story) {
    const empty = !this.text.trim();
    const stops = story.running && empty;
    return html`<form class="composer" @submit=${this.#submit}>
      ${this.selection
        ? html`<span class="about"
            ><bdi>${this.selection.label}</bdi>
            <button type="button" class="quiet" aria-label=${this.words.remove} @click=${this.#unselect}>
              ${icons.close}
            </button></span
          >`
        : nothing}
      <div class="row">
        <textarea rows="1" dir=${this.text ? "auto" : this.direction} aria-label=${this.words.message} placeholder=${this.words.placeholder ?? ""}
          .value=${this.text} @input=${this.#typed} @keydown=${this.#keys} enterkeyhint="send" maxlength="8000"></textarea>
        ${stops
          ? html`<button type="button" class="send stop" aria-label=${this.words.stop} title=${this.words.stop}
              ?disabled=${this.session.stopping} @click=${() => this.session.stop()}>${icons.stop}</button>`
          : html`<button class="send" aria-label=${this.words.send} title=${this.words.send} ?disabled=${empty}>
              ${icons.send}</button>`}
      </div>
    </form>`;
  }

  #typed = (event) => {
    this.text = event.target.value;
  };

  #keys = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#submit(event);
  };

  #submit = (event) => {
    event.preventDefault();
    const text = this.text.trim();
    if (!text) return;
    this.text = "";
    this.stick = true;
    this.say(text);
    this.#toEnd();
  };

  #unselect = () => {
    this.selection = null;
    this.dispatchEvent(new CustomEvent("spotter-unselected", { bubbles: true, composed: true }));
  };

  #scrolled = () => {
    const log = this.renderRoot.querySelector(".log");
    const far = log.scrollHeight - log.scrollTop - log.clientHeight >= NEAR_END;
    this.renderRoot.querySelector(".latest")?.toggleAttribute("hidden", !far);
  };

  #toEnd = () => {
    const log = this.renderRoot.querySelector(".log");
    this.updateComplete.then(() => log.scrollTo({ top: log.scrollHeight, behavior: "smooth" }));
  };
}

customElements.define("spotter-chat", SpotterChat);
