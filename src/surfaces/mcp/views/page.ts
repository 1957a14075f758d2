import { createHash } from "node:crypto";

/**
 * The pages that a client shows in a frame next to the answer of a tool (MCP Apps 2026-01-26). They make no network requests, and
 * show nothing that is not in an answer.
 */

const STYLE = `
:root {
  color-scheme: light dark;
  --ink: var(--color-text-primary, light-dark(#1d2433, #e8ebf2));
  --quiet: var(--color-text-secondary, light-dark(#566074, #a6afc1));
  --ground: var(--color-background-primary, light-dark(#ffffff, #16191f));
  --line: var(--color-border-primary, light-dark(#d8dde6, #343b48));
  --focus: light-dark(#2b62c9, #7ca8f5);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--ground);
  color: var(--ink);
  font: 14px/1.5 var(--font-sans, system-ui, sans-serif);
  overflow-wrap: anywhere;
  padding: 16px;
}
h1 { font-size: 16px; line-height: 1.3; }
h2 { font-size: 14px; margin-top: 16px; }
.quiet { color: var(--quiet); }
button {
  background: none;
  border: 1px solid var(--line);
  border-radius: 6px;
  color: inherit;
  cursor: pointer;
  font: inherit;
  margin-top: 14px;
  padding: 4px 12px;
}
button:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
[hidden] { display: none; }
`;

/** What every page does: it speaks with its host, and calls the page's own `show` with the result of the tool. */
const SCRIPT = `
"use strict";
const root = document.documentElement;
const at = (id) => document.getElementById(id);
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const answers = new Map();
let host = {};
let asked = 0;

// A request of the host is answered, a notification is followed; what is not known is not.
addEventListener("message", ({ source, data }) => {
  if (source !== parent || data === null || typeof data !== "object" || data.jsonrpc !== "2.0") return;
  const { id, method, params } = data;
  if (method === undefined) {
    answers.get(id)?.(data.result ?? null);
    answers.delete(id);
  } else if (id !== undefined) {
    const known = method === "ping" || method === "ui/resource-teardown";
    send(known ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } });
  } else if (method === "ui/notifications/tool-result") show(params ?? {});
  else if (method === "ui/notifications/tool-cancelled") say("The call was cancelled.");
  else if (method === "ui/notifications/host-context-changed") dress(params ?? {});
});

// Null where the host refuses.
function ask(method, params) {
  asked += 1;
  const id = method + "-" + asked;
  send({ id, method, params });
  return new Promise((resolve) => answers.set(id, resolve));
}

function dress({ theme, styles }) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && typeof value === "string") root.style.setProperty(name, value);
  }
}

function measure() {
  const { width, height } = document.body.getBoundingClientRect();
  send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
}

function say(text) {
  at("message").textContent = text;
  at("message").hidden = false;
  at("shown").hidden = true;
}

// Shows the page, with a button that has the host open an address in a browser, if it can.
function reveal(address) {
  at("open").hidden = !host.openLinks;
  at("open").onclick = () => ask("ui/open-link", { url: address });
  at("message").hidden = true;
  at("shown").hidden = false;
}

function counted(count, word) {
  return count.toLocaleString("en") + " " + word + (count === 1 ? "" : "s");
}

function made(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

ask("ui/initialize", {
  appInfo: { name: NAME, title: document.title, version: "1.0.0" },
  appCapabilities: { availableDisplayModes: ["inline"] },
  protocolVersion: "2026-01-26",
}).then((answer) => {
  if (!answer) return;
  host = answer.hostCapabilities ?? {};
  dress(answer.hostContext ?? {});
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(measure).observe(document.body);
});
`;

interface ViewPage {
  readonly name: string;
  readonly title: string;
  /** What it says before there is an answer. */
  readonly waiting: string;
  readonly style: string;
  /** Defines `show(result)`. */
  readonly script: string;
  /** What is shown of an answer; empty. */
  readonly body: string;
  /** The words of its button. */
  readonly open: string;
}

export function viewPage({ name, title, waiting, style: own, script: shows, body, open }: ViewPage): string {
  const style = STYLE + own;
  const script = `const NAME = "${name}";${SCRIPT}${shows}`;
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<p id="message" class="quiet" role="status">${waiting}</p>
<main id="shown" hidden>
${body}
<button id="open" type="button" hidden>${open}</button>
</main>
<script>${script}</script>
</body>
</html>
`;
}

/** The Content-Security-Policy source of the page's one script or style. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
