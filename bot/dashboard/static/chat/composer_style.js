// The look of what stands around the conversation: its list, banners, the toast, the composer.
import { css } from "../vendor/lit-element.js";

export const composerStyle = css`
  .latest {
    position: absolute;
    inset-block-end: calc(100% + 10px);
    inset-inline: 0;
    margin-inline: auto;
    inline-size: 36px;
    block-size: 36px;
    display: grid;
    place-items: center;
    border: 1px solid var(--line);
    border-radius: 50%;
    background: var(--raised);
    box-shadow: var(--shadow);
  }
  .latest[hidden] {
    display: none;
  }
  .banner {
    padding: 7px 20px;
    background: var(--sunk);
    color: var(--warn);
    font-size: 13.5px;
    text-align: center;
  }
  .past {
    position: absolute;
    inset-block-start: 54px;
    inset-inline: 12px;
    z-index: 3;
    max-block-size: min(60%, 420px);
    overflow-y: auto;
    margin: 0;
    padding: 6px;
    list-style: none;
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--raised);
    box-shadow: var(--shadow);
    animation: rise 0.15s ease-out;
  }
  .past button {
    display: flex;
    gap: 12px;
    inline-size: 100%;
    padding: 9px 12px;
    border: 0;
    border-radius: 9px;
    background: none;
    text-align: start;
  }
  .past button:hover,
  .past [aria-current] {
    background: var(--sunk);
  }
  .past span:first-child {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .past time {
    color: var(--soft);
    font-size: 13px;
  }
  footer {
    position: relative;
    padding: 4px 16px max(14px, env(safe-area-inset-bottom));
  }
  .composer {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    gap: 6px;
    max-inline-size: 752px;
    margin-inline: auto;
    padding: 6px;
    border: 1px solid var(--line);
    border-radius: 18px;
    background: var(--raised);
    transition: border-color 0.15s;
  }
  .composer:focus-within {
    border-color: var(--accent);
  }
  .composer:has(textarea:focus-visible) {
    box-shadow: 0 0 0 1px var(--accent);
  }
  .about {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    flex-basis: auto;
    max-inline-size: 100%;
    padding-inline: 11px 2px;
    border-radius: 10px;
    background: var(--tint);
    font-size: 13.5px;
  }
  .about .quiet {
    inline-size: 28px;
    block-size: 28px;
  }
  .about .icon {
    inline-size: 13px;
  }
  .row {
    display: flex;
    flex: 1 0 100%;
    align-items: flex-end;
    gap: 6px;
  }
  textarea {
    flex: 1;
    min-inline-size: 0;
    field-sizing: content;
    min-block-size: 36px;
    max-block-size: 168px;
    padding: 6px 10px;
    border: 0;
    outline: 0 !important;
    background: none;
    resize: none;
    line-height: 24px;
  }
  textarea::placeholder {
    color: var(--soft);
    opacity: 1;
  }
  .send {
    display: grid;
    place-items: center;
    inline-size: 36px;
    block-size: 36px;
    flex: none;
    border: 0;
    border-radius: 12px;
    background: var(--accent);
    color: var(--on-accent);
    transition: opacity 0.15s;
  }
  .send[disabled] {
    background: var(--sunk);
    color: var(--soft);
    cursor: default;
  }
  .send.stop {
    background: var(--ink);
    color: var(--ground);
  }
  .toast {
    display: flex;
    align-items: center;
    gap: 12px;
    max-inline-size: 720px;
    margin: 0 auto 10px;
    padding: 10px 12px 10px 16px;
    padding-inline: 16px 10px;
    border-radius: 14px;
    background: light-dark(#242823, #e9e8e3);
    color: light-dark(#f4f3ef, #20241f);
    box-shadow: var(--shadow);
    font-size: 14.5px;
    animation: rise 0.2s ease-out;
  }
  .toast > span {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    line-clamp: 2;
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .toast button {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    padding: 5px 11px;
    border: 1px solid color-mix(in srgb, currentColor 35%, transparent);
    border-radius: 10px;
    background: none;
    font-weight: 600;
  }
  .toast button:hover {
    background: color-mix(in srgb, currentColor 14%, transparent);
  }
  .toast button.bare {
    padding: 5px;
    border-color: transparent;
  }
  .toast :focus-visible {
    outline-color: currentColor;
  }
  .ring {
    inline-size: 18px;
    block-size: 18px;
    rotate: -90deg;
    fill: none;
    stroke: currentColor;
    stroke-width: 2.4;
  }
  .ring .track {
    opacity: 0.25;
  }
  .ring .left {
    stroke-dasharray: 1;
    animation: drain 15s linear forwards;
  }
  .toast:is(:hover, :focus-within) .left {
    animation-play-state: paused;
  }
  @keyframes drain {
    to {
      stroke-dashoffset: 1;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .ring .left {
      animation-duration: 15s !important;
      animation-timing-function: steps(5) !important;
    }
  }
  @media (max-width: 480px) {
    :host {
      font-size: 16px;
    }
    .log {
      padding: 16px;
      scrollbar-gutter: auto;
    }
    footer {
      padding-inline: 10px;
    }
  }
`;
