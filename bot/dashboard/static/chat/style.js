// The chat's look. Colours are variables, so that a host page can make it its own; all sides are logical.
import { css } from "../vendor/lit-element.js";

export const tokens = css`
  :host {
    color-scheme: light dark;
    --ground: var(--spotter-ground, light-dark(#fbfaf8, #191b19));
    --raised: var(--spotter-raised, light-dark(#ffffff, #222522));
    --sunk: var(--spotter-sunk, light-dark(#f1efea, #141614));
    --ink: var(--spotter-ink, light-dark(#20241f, #e9e8e3));
    --soft: var(--spotter-soft, light-dark(#5d635a, #a5aaa1));
    --line: var(--spotter-line, light-dark(#e2dfd7, #343833));
    --accent: var(--spotter-accent, light-dark(#1d6b50, #86cbaa));
    --on-accent: var(--spotter-on-accent, light-dark(#ffffff, #10261c));
    --tint: var(--spotter-tint, light-dark(#e4f0ea, #23352c));
    --bad: light-dark(#9f3524, #f0a592);
    --warn: light-dark(#8a5a06, #e6bd70);
    --shadow: 0 1px 2px light-dark(rgb(32 36 31 / 6%), rgb(0 0 0 / 40%)),
      0 8px 24px light-dark(rgb(32 36 31 / 8%), rgb(0 0 0 / 35%));
    --round: 14px;
    display: flex;
    flex-direction: column;
    position: relative;
    min-block-size: 0;
    background: var(--ground);
    color: var(--ink);
    font: 400 15.5px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    text-align: start;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  button,
  textarea,
  input {
    font: inherit;
    color: inherit;
  }
  button {
    cursor: pointer;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .icon {
    inline-size: 1.15em;
    block-size: 1.15em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .good {
    color: var(--accent);
  }
  .bad {
    color: var(--bad);
  }
  .dim {
    color: var(--soft);
  }
  .spin {
    color: var(--accent);
    animation: turn 0.9s linear infinite;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  @keyframes rise {
    from {
      opacity: 0;
      translate: 0 6px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation-duration: 1ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 1ms !important;
      scroll-behavior: auto !important;
    }
    .spin {
      animation: none !important;
      opacity: 0.7;
    }
  }
`;

export const frame = css`
  header {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 10px 12px 10px 20px;
    padding-inline: 20px 12px;
    border-block-end: 1px solid var(--line);
  }
  header h2 {
    margin: 0;
    flex: 1;
    min-inline-size: 0;
    font-size: 15px;
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .quiet {
    display: inline-grid;
    place-items: center;
    inline-size: 36px;
    block-size: 36px;
    border: 0;
    border-radius: 10px;
    background: none;
    color: var(--soft);
  }
  .quiet:hover {
    background: var(--sunk);
    color: var(--ink);
  }
  .log {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scrollbar-color: var(--line) transparent;
    scrollbar-gutter: stable both-edges;
    padding: 20px 8px;
  }
  .flow {
    display: flex;
    flex-direction: column;
    gap: 14px;
    max-inline-size: 720px;
    margin-inline: auto;
    min-block-size: 100%;
  }
  .mine {
    align-self: flex-end;
    max-inline-size: min(85%, 560px);
    padding: 9px 15px;
    border-radius: 18px;
    border-end-end-radius: 6px;
    background: var(--tint);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    animation: rise 0.18s ease-out;
  }
  .mine:not(:first-child) {
    margin-block-start: 12px;
  }
  .mine.local {
    opacity: 0.75;
  }
  .said {
    overflow-wrap: anywhere;
  }
  .said > :first-child {
    margin-block-start: 0;
  }
  .said > :last-child {
    margin-block-end: 0;
  }
  .said p {
    margin-block: 0 0.7em;
  }
  .said h3,
  .said h4 {
    margin-block: 1em 0.35em;
    font-size: 1em;
    font-weight: 650;
  }
  .said ul,
  .said ol {
    margin-block: 0.2em 0.8em;
    padding-inline-start: 1.35em;
  }
  .said li + li {
    margin-block-start: 0.25em;
  }
  .said code {
    padding: 0.1em 0.35em;
    border-radius: 5px;
    background: var(--sunk);
    font: 0.9em ui-monospace, "SF Mono", Menlo, monospace;
  }
  .said pre {
    overflow-x: auto;
    padding: 12px;
    border-radius: 10px;
    background: var(--sunk);
    direction: ltr;
    text-align: left;
  }
  .said pre code {
    padding: 0;
    background: none;
  }
  .said a,
  .card a {
    color: var(--accent);
    text-underline-offset: 3px;
  }
  .said a:not([href]) {
    color: inherit;
  }
  .said th {
    background: none;
  }
  .said .address {
    color: var(--soft);
    font-size: 0.9em;
    unicode-bidi: isolate;
  }
  .said blockquote {
    margin-inline: 0;
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--line);
    color: var(--soft);
  }
  .said table {
    display: block;
    overflow-x: auto;
  }
  .line,
  .error {
    color: var(--soft);
    font-size: 14px;
  }
  .error {
    display: flex;
    gap: 8px;
    align-items: flex-start;
    color: var(--bad);
  }
  .error .icon {
    margin-block-start: 3px;
  }
  .thinking {
    display: flex;
    gap: 5px;
    padding-block: 8px;
  }
  .thinking i {
    inline-size: 6px;
    block-size: 6px;
    border-radius: 50%;
    background: var(--soft);
    animation: breathe 1.2s ease-in-out infinite;
  }
  .thinking i:nth-child(2) {
    animation-delay: 0.15s;
  }
  .thinking i:nth-child(3) {
    animation-delay: 0.3s;
  }
  @keyframes breathe {
    0%,
    60%,
    100% {
      opacity: 0.25;
    }
    30% {
      opacity: 1;
    }
  }
  .empty {
    margin-block: auto;
    display: grid;
    gap: 8px;
    padding-block: 12px;
  }
  .empty h3 {
    margin: 0;
    font-size: 22px;
    font-weight: 620;
    letter-spacing: -0.01em;
    text-wrap: balance;
  }
  .empty p {
    margin: 0 0 12px;
    color: var(--soft);
    max-inline-size: 46ch;
    text-wrap: pretty;
  }
  .example {
    display: block;
    inline-size: 100%;
    padding: 11px 15px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--raised);
    text-align: start;
    transition:
      border-color 0.15s,
      background 0.15s;
  }
  .example:hover,
  .chip:hover {
    border-color: var(--accent);
    background: var(--tint);
  }
  .empty h4 {
    margin: 14px 0 0;
    color: var(--soft);
    font-size: 13px;
    font-weight: 600;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .chip {
    padding: 7px 13px;
    border: 1px solid var(--line);
    border-radius: 999px;
    background: var(--raised);
    text-align: start;
  }
`;
