// The look of cards: what was done, what is asked, and the toast that takes it back.
import { css } from "../vendor/lit-element.js";

export const cardStyle = css`
  .call {
    display: grid;
    grid-template-columns: auto 1fr auto;
    column-gap: 10px;
    align-items: start;
    font-size: 14.5px;
    animation: rise 0.18s ease-out;
  }
  .call > .icon {
    margin-block-start: 3px;
  }
  .call .label {
    color: var(--soft);
  }
  .call .told {
    display: block;
    color: var(--ink);
    overflow-wrap: anywhere;
  }
  .call .note {
    display: block;
    color: var(--soft);
    overflow-wrap: anywhere;
  }
  progress {
    display: block;
    inline-size: 100%;
    max-inline-size: 260px;
    block-size: 6px;
    margin-block: 6px 2px;
    accent-color: var(--accent);
  }
  details {
    min-inline-size: 0;
  }
  summary {
    display: flex;
    gap: 6px;
    align-items: center;
    list-style: none;
    cursor: pointer;
    border-radius: 6px;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary .fold {
    transition: rotate 0.15s;
    color: var(--soft);
  }
  details[open] .fold {
    rotate: 180deg;
  }
  .sheet {
    margin-block: 8px 4px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--raised);
    overflow: auto;
    max-block-size: 420px;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 14px;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 8px 12px;
    text-align: start;
    vertical-align: top;
    white-space: nowrap;
  }
  td:first-child {
    white-space: normal;
    min-inline-size: 9em;
  }
  th {
    position: sticky;
    inset-block-start: 0;
    background: var(--raised);
    color: var(--soft);
    font-size: 12.5px;
    font-weight: 500;
    border-block-end: 1px solid var(--line);
  }
  tr + tr td {
    border-block-start: 1px solid var(--line);
  }
  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 6px 16px;
    margin: 0;
    padding: 11px 14px;
    font-size: 14px;
  }
  dt {
    color: var(--soft);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  dd.typed {
    white-space: pre-line;
  }
  .of {
    margin: 0;
    padding: 10px 14px 4px;
    font-size: 13.5px;
    font-weight: 600;
  }
  .more {
    margin: 0;
    padding: 8px 12px;
    color: var(--soft);
    font-size: 13.5px;
  }
  .plain {
    padding: 3px 11px;
    border: 1px solid var(--line);
    border-radius: 9px;
    background: none;
    color: var(--accent);
    font-size: 13.5px;
    font-weight: 550;
    white-space: nowrap;
  }
  .plain:hover {
    border-color: var(--accent);
    background: var(--tint);
  }

  .card {
    padding: 16px 18px 14px;
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--raised);
    box-shadow: var(--shadow);
    animation: rise 0.2s ease-out;
    scroll-margin: 20px;
  }
  .card:focus {
    outline: none;
  }
  .card:focus-visible {
    border-color: var(--accent);
    box-shadow:
      0 0 0 1px var(--accent),
      var(--shadow);
    outline: none;
  }
  .card h3 {
    margin: 0 0 6px;
    font-size: 16px;
    font-weight: 640;
    text-wrap: balance;
  }
  .card p {
    margin: 0 0 4px;
    overflow-wrap: anywhere;
  }
  .card p.effect {
    color: var(--soft);
    font-size: 14.5px;
  }
  .choices {
    display: grid;
    gap: 8px;
    margin-block: 14px 10px;
  }
  .choices.pair {
    grid-template-columns: repeat(auto-fit, minmax(min(190px, 100%), 1fr));
  }
  .option {
    display: flex;
    align-items: center;
    gap: 11px;
    min-block-size: 44px;
    padding: 8px 13px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--ground);
    text-align: start;
    transition:
      border-color 0.15s,
      background 0.15s;
  }
  .option:hover:not([disabled]) {
    border-color: var(--accent);
  }
  .option.main {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 570;
  }
  .option.main:hover:not([disabled]) {
    filter: brightness(1.08);
  }
  .option[disabled] {
    cursor: default;
    opacity: 0.55;
  }
  .option.slim {
    min-block-size: 40px;
    color: var(--soft);
    background: none;
  }
  .option > span {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .option small {
    display: block;
    color: var(--soft);
    font-size: 13px;
  }
  kbd {
    display: grid;
    place-items: center;
    flex: none;
    min-inline-size: 22px;
    block-size: 22px;
    border-radius: 6px;
    background: color-mix(in srgb, currentColor 13%, transparent);
    font: 600 12px/1 ui-monospace, "SF Mono", Menlo, monospace;
  }
  .item {
    display: flex;
    gap: 11px;
    align-items: flex-start;
    padding: 10px 13px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--ground);
    cursor: pointer;
  }
  .item:has(:checked) {
    border-color: var(--accent);
    background: var(--tint);
  }
  .item input {
    inline-size: 18px;
    block-size: 18px;
    margin: 3px 0 0;
    flex: none;
    accent-color: var(--accent);
  }
  .item > span {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .item small {
    display: block;
    color: var(--soft);
    font-size: 13.5px;
  }
  .word {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-block: 14px 8px;
  }
  .word input {
    flex: 1 1 180px;
    min-inline-size: 0;
    min-block-size: 44px;
    padding: 8px 13px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--ground);
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    align-items: center;
    justify-content: space-between;
    color: var(--soft);
    font-size: 13px;
  }
  .foot .icon {
    inline-size: 14px;
    block-size: 14px;
    vertical-align: -2px;
    margin-inline-end: 4px;
  }
  .foot .near {
    color: var(--warn);
  }
  .card.closed {
    box-shadow: none;
    background: none;
  }
  .card.closed h3 {
    font-weight: 560;
    margin-block-end: 2px;
  }
  .outcome {
    display: flex;
    gap: 8px;
    margin-block-start: 10px;
    padding-block-start: 10px;
    border-block-start: 1px solid var(--line);
    color: var(--soft);
    font-size: 14px;
  }
  .outcome .icon {
    margin-block-start: 2px;
  }
  .refusal {
    margin-block-start: 8px;
    color: var(--bad);
    font-size: 14px;
  }
  .elsewhere {
    display: grid;
    gap: 12px;
    margin-block-end: 8px;
  }
  .elsewhere > h3 {
    margin: 0;
    color: var(--soft);
    font-size: 13px;
    font-weight: 600;
  }
  .tag {
    margin-block-end: 6px;
    color: var(--soft);
    font-size: 12.5px;
  }
  @media (pointer: coarse) {
    .hint,
    .option kbd {
      display: none;
    }
  }
`;
