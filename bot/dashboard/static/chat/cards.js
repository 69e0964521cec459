// Cards as templates. Every word comes from the server, in the person's language; here is only the drawing.
import { html, nothing } from "../vendor/lit-element.js";
import { icons } from "./icons.js";

// A time range stays on one line.
const whole = (text) => (text ?? "").replace(/(\d)–(\d)/g, "$1\u2060–\u2060$2");

const HAS_MORE = new Set(["facts", "table", "workout"]);

/** One tool call: a quiet line, what came of it, its details on demand, and its undo. */
export function callCard(call, page, paused = false) {
  const { view } = call;
  if (call.waits && !view) return nothing;
  const dir = view?.dir ?? page.direction;
  const told = view ? (view.title ?? view.lines?.[0] ?? "") : "";
  return html`<div class="call" data-kind=${view?.kind ?? "running"}>
    ${mark(call, paused)}
    ${view && HAS_MORE.has(view.kind) && (view.rows || view.facts)
      ? html`<details ?open=${call.open}>
          <summary>
            <span><span class="label">${call.label}</span> <span class="told" dir=${dir}>${whole(told)}</span></span>
            ${icons.fold}
          </summary>
          <div class="sheet">${view.rows ? table(view) : facts(view)}</div>
        </details>`
      : html`<div>
          <span class="label">${call.label}</span>
          ${told ? html`<span class="told" dir=${dir}>${whole(told)}</span>` : nothing}
          ${(view?.title ? (view.lines ?? []) : (view?.lines ?? []).slice(1)).map(
            (line) => html`<span class="note" dir=${dir}>${whole(line)}</span>`,
          )}
          ${view?.task_id ? html`<progress max=${view.total} value=${view.done} aria-label=${call.label}></progress>` : nothing}
          ${view?.url ? html`<a href=${safe(view.url)} rel="noopener noreferrer">${page.words.open}</a>` : nothing}
        </div>`}
    ${view?.task_id
      ? html`<button class="plain" ?disabled=${call.stopping} @click=${() => page.stopTask(call)}>${page.words.stop}</button>`
      : nothing}
    ${view?.undo && !call.undone
      ? html`<button class="plain" aria-label=${view.undo.label} title=${view.undo.label}
          ?disabled=${call.undoing} @click=${() => page.undo(view.undo, call)}>${page.words.undo_short}</button>`
      : nothing}
  </div>`;
}

function mark(call, paused) {
  if (!call.view) return paused ? icons.waits : icons.spin;
  if (call.view.task_id) return icons.spin;
  if (call.view.kind === "not_run") return icons.skipped;
  return call.ok ? icons.done : icons.failed;
}

function table(view) {
  return html`<table>
      <thead>
        <tr>${view.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${view.rows.map((row) => html`<tr>${row.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>`)}
      </tbody>
    </table>
    ${view.more ? html`<p class="more">${view.more}</p>` : nothing}`;
}

function facts(view) {
  return html`<dl>
      ${view.facts.map(({ label, value }) => html`<dt>${label}</dt><dd class="typed"><bdi>${value}</bdi></dd>`)}
    </dl>
    ${(view.tables ?? []).map(
      (one) => html`<h4 class="of">${one.title ?? (one.lines ?? []).join(" ")}</h4>
        ${one.rows ? table(one) : nothing}`,
    )}`;
}

/** A question and its answers; once settled, what came of it. */
export function questionCard(card, page) {
  const { view, settled } = card;
  const shut = Boolean(settled);
  return html`<section
    class="card ${shut ? "closed" : ""}"
    data-question=${card.id}
    tabindex="-1"
    role="group"
    dir=${view.dir ?? page.direction}
    aria-label=${view.title ?? page.words.question}
    @keydown=${(event) => keys(event, card, page)}
  >
    ${card.tag ? html`<div class="tag">${card.tag}</div>` : nothing}
    <h3>${whole(view.title)}</h3>
    ${(view.lines ?? []).map((line, n) => html`<p class=${n ? "effect" : ""}>${whole(line)}</p>`)}
    ${shut ? outcome(settled) : html`${answers(card, page)}${foot(card, page)}`}
    ${card.refusal && !shut ? html`<div class="refusal" role="alert">${card.refusal}</div>` : nothing}
  </section>`;
}

function answers(card, page) {
  switch (card.view.kind) {
    case "confirm_batch":
      return batch(card, page);
    case "pick":
      return pick(card, page);
    case "typed":
      return typed(card, page);
    default:
      return confirm(card, page);
  }
}

function confirm(card, page) {
  return html`<div class="choices pair">
    ${card.view.options.map((option) => choice(card, page, option, option.value === "approve" ? "main" : ""))}
  </div>`;
}

function pick(card, page) {
  return html`<div class="choices">
    ${card.view.options.map((option) => choice(card, page, option, option.n ? "" : "slim"))}
  </div>`;
}

function choice(card, page, option, look) {
  return html`<button
    class="option ${look}"
    data-n=${option.n}
    ?disabled=${card.busy}
    @click=${() => page.answer(card, option.value)}
  >
    <kbd>${option.n}</kbd>
    <span><bdi>${option.label}</bdi>${option.sublabel ? html`<small><bdi>${option.sublabel}</bdi></small>` : nothing}</span>
  </button>`;
}

function batch(card, page) {
  const [all, some, none] = card.view.options;
  const chosen = [...card.chosen].sort((a, b) => a - b);
  return html`<div class="choices">
      ${card.view.items.map(
        (item) => html`<label class="item">
          <input
            type="checkbox"
            data-n=${item.n}
            ?disabled=${card.busy}
            .checked=${card.chosen.has(item.n)}
            @change=${() => page.toggle(card, item.n)}
          />
          <span>${whole(item.label)}${(item.lines ?? []).map((line) => html`<small>${line}</small>`)}</span>
          <kbd class="hint">${item.n}</kbd>
        </label>`,
      )}
    </div>
    <div class="choices pair">
      ${chosen.length
        ? plainChoice(card, page, some, chosen, "main")
        : plainChoice(card, page, all, "approve", "main")}
      ${plainChoice(card, page, none, "decline", "")}
    </div>`;
}

function plainChoice(card, page, option, value, look) {
  return html`<button class="option ${look}" ?disabled=${card.busy} @click=${() => page.answer(card, value)}>
    <span>${option.label}</span>
  </button>`;
}

function typed(card, page) {
  const keep = card.view.options[0];
  const submit = (event) => {
    event.preventDefault();
    page.answer(card, event.target.elements.typed.value);
  };
  return html`<form class="word" @submit=${submit}>
      <label class="hidden" for="typed">${card.view.how}</label>
      <p>${card.view.how}</p>
      <input id="typed" name="typed" autocomplete="off" spellcheck="false" dir="auto" ?disabled=${card.busy} required />
      <button class="option" ?disabled=${card.busy}>${page.words.submit}</button>
    </form>
    <div class="choices">${plainChoice(card, page, keep, "decline", "slim")}</div>`;
}

function foot(card, page) {
  const near = card.until && new Date(card.until) - page.now < 120_000;
  return html`<div class="foot">
    ${card.view.until_label
      ? html`<span class=${near ? "near" : ""}>${icons.waits}${card.view.until_label}</span>`
      : nothing}
    ${card.view.kind === "typed" ? nothing : html`<span class="hint">${page.words.keys}</span>`}
  </div>`;
}

function outcome(settled) {
  const good = settled.outcome === "decided" && (settled.approved ?? []).length;
  return html`<div class="outcome" role="status">
    ${good ? icons.done : icons.skipped}<span>${settled.text}</span>
  </div>`;
}

/** Numbers go to an option, Enter takes it, Escape leaves the card as it is. */
function keys(event, card, page) {
  if (card.settled || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape") {
    event.stopPropagation();
    page.leave();
    return;
  }
  if (event.target.localName === "input" && event.target.type !== "checkbox") return;
  const digit = event.code.match(/^(?:Digit|Numpad)(\d)$/)?.[1];
  const target = digit && event.currentTarget.querySelector(`[data-n="${digit}"]`);
  if (target) {
    event.preventDefault();
    target.focus();
    if (target.type === "checkbox") target.click();
  } else if (event.key === "Enter" && event.target.type === "checkbox") {
    event.preventDefault();
    event.currentTarget.querySelector(".option.main")?.click();
  }
}

/** The last action, and fifteen seconds to take it back at once. */
export function toast(offer, page) {
  return html`<div class="toast" role="status">
    <span>${whole(offer.line)}</span>
    <button aria-label=${offer.label} ?disabled=${offer.busy} @click=${() => page.undo(offer, offer.call)}>
      <svg class="ring" viewBox="0 0 20 20" aria-hidden="true">
        <circle class="track" cx="10" cy="10" r="8" />
        <circle class="left" cx="10" cy="10" r="8" pathLength="1" @animationend=${page.dropToast} />
      </svg>
      ${page.words.undo_short}
    </button>
    <button class="bare" aria-label=${page.words.close} @click=${page.dropToast}>${icons.close}</button>
  </div>`;
}

function safe(address) {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : "#";
}
