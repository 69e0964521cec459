// Line icons on a 20-unit grid, drawn in the text's colour.
import { html, svg } from "../vendor/lit-element.js";

const icon = (body, name = "") =>
  html`<svg class="icon ${name}" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${body}</svg>`;

export const icons = {
  send: icon(svg`<path d="M10 16V4.5M5 9.2l5-5 5 5" />`),
  stop: icon(svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1.8" fill="currentColor" stroke="none" />`),
  done: icon(svg`<path d="M4.5 10.6l3.6 3.6 7.4-8" />`, "good"),
  failed: icon(svg`<path d="M10 5.4v5.6M10 14.4v.2" /><circle cx="10" cy="10" r="7.4" />`, "bad"),
  skipped: icon(svg`<path d="M5.5 10h9" />`, "dim"),
  waits: icon(svg`<circle cx="10" cy="10" r="7.2" /><path d="M10 6v4.2l2.8 1.7" />`, "dim"),
  spin: icon(svg`<path d="M10 2.8a7.2 7.2 0 1 1-7.2 7.2" />`, "spin"),
  fresh: icon(svg`<path d="M10 4.2v11.6M4.2 10h11.6" />`),
  list: icon(svg`<path d="M4 5.5h12M4 10h12M4 14.5h7" />`),
  close: icon(svg`<path d="M5.5 5.5l9 9M14.5 5.5l-9 9" />`),
  down: icon(svg`<path d="M10 4v11.5M5 10.8l5 5 5-5" />`),
  fold: icon(svg`<path d="M6 8l4 4 4-4" />`, "fold"),
};
