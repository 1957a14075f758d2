import { createHash } from "node:crypto";

/**
 * The page that a client shows in a frame next to an answer of get_project (MCP Apps 2026-01-26). It makes no network
 * requests, and shows nothing that is not in the answer.
 */

const STYLE = `
:root {
  color-scheme: light dark;
  --ink: var(--color-text-primary, light-dark(#1d2433, #e8ebf2));
  --quiet: var(--color-text-secondary, light-dark(#566074, #a6afc1));
  --ground: var(--color-background-primary, light-dark(#ffffff, #16191f));
  --line: var(--color-border-primary, light-dark(#d8dde6, #343b48));
  --indexed: light-dark(#1a7f4b, #4ac486);
  --checking: light-dark(#2b62c9, #7ca8f5);
  --waiting: light-dark(#8b95a7, #7d8798);
  --not_indexed: light-dark(#b86e00, #e6a545);
  --failed: light-dark(#b3261e, #f0837b);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--ground);
  color: var(--ink);
  font: 14px/1.5 var(--font-sans, system-ui, sans-serif);
  padding: 16px;
}
h1 { font-size: 16px; line-height: 1.3; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.bar {
  background: var(--line);
  border-radius: 6px;
  display: flex;
  gap: 2px;
  height: 14px;
  margin: 14px 0 12px;
  overflow: hidden;
}
.bar > i { flex-basis: 0; min-width: 3px; }
.indexed { background: var(--indexed); }
.checking { background: var(--checking); }
.waiting { background: var(--waiting); }
.not_indexed { background: var(--not_indexed); }
.failed { background: var(--failed); }
dl { display: grid; gap: 4px 20px; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
dl > div { align-items: baseline; display: flex; gap: 8px; }
dt > i { border-radius: 3px; display: inline-block; height: 10px; margin-right: 8px; width: 10px; }
dd { font-variant-numeric: tabular-nums; font-weight: 600; margin-left: auto; }
#facts { border-top: 1px solid var(--line); margin-top: 12px; padding-top: 12px; }
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
button:focus-visible { outline: 2px solid var(--checking); outline-offset: 2px; }
[hidden] { display: none; }
`;

const SCRIPT = `
"use strict";
const STATES = [
  ["indexed", "Indexed"],
  ["checking", "Checking"],
  ["waiting", "Waiting"],
  ["not_indexed", "Not indexed"],
  ["failed", "Failed"],
];
const root = document.documentElement;
const at = (id) => document.getElementById(id);
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
let host = {};
let asked = 0;
let dashboard = "";

// A request of the host is answered, a notification is followed; what is not known is not.
addEventListener("message", ({ source, data }) => {
  if (source !== parent || data === null || typeof data !== "object" || data.jsonrpc !== "2.0") return;
  const { id, method, params } = data;
  if (method === undefined) {
    if (id === "initialize" && data.result) begin(data.result);
  } else if (id !== undefined) {
    const known = method === "ping" || method === "ui/resource-teardown";
    send(known ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } });
  } else if (method === "ui/notifications/tool-result") show(params ?? {});
  else if (method === "ui/notifications/tool-cancelled") say("The call was cancelled.");
  else if (method === "ui/notifications/host-context-changed") dress(params ?? {});
});

function begin({ hostCapabilities, hostContext }) {
  host = hostCapabilities ?? {};
  dress(hostContext ?? {});
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(measure).observe(document.body);
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

function show({ structuredContent: project, isError }) {
  if (isError || project?.object !== "project") return say("This project could not be read. The answer says why.");
  const { counts } = project;
  at("name").textContent = project.name;
  at("what").textContent = [
    project.kind === "check" ? "Index check" : "Indexing, " + project.mode,
    project.status,
    counted(counts.total, "URL"),
    "since " + project.created_at.slice(0, 10),
  ].join(" · ");
  const some = STATES.filter(([state]) => counts[state] > 0);
  at("bar").replaceChildren(...some.map(([state]) => segment(state, counts[state])));
  at("bar").setAttribute("aria-label", some.map(([state, label]) => label + ": " + counts[state]).join(", "));
  at("legend").replaceChildren(...STATES.map(([state, label]) => row(label, counts[state], state)));
  at("facts").replaceChildren(
    row("Index rate", project.status === "active" ? "after the last check" : project.index_rate === null ? "none" : project.index_rate + " %"),
    row("Credits spent", project.credits_spent),
    row("Credits returned", project.credits_returned),
  );
  dashboard = project.dashboard_url;
  at("open").hidden = !host.openLinks;
  at("message").hidden = true;
  at("project").hidden = false;
}

function say(text) {
  at("message").textContent = text;
  at("message").hidden = false;
  at("project").hidden = true;
}

function segment(state, count) {
  const part = document.createElement("i");
  part.className = state;
  part.style.flexGrow = count;
  return part;
}

function row(label, value, state) {
  const [line, term, detail] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
  if (state) {
    const colour = document.createElement("i");
    colour.className = state;
    term.append(colour);
  }
  term.append(label);
  detail.textContent = typeof value === "number" ? value.toLocaleString("en") : value;
  line.append(term, detail);
  return line;
}

function counted(count, word) {
  return count.toLocaleString("en") + " " + word + (count === 1 ? "" : "s");
}

at("open").addEventListener("click", () => {
  asked += 1;
  send({ id: "open-" + asked, method: "ui/open-link", params: { url: dashboard } });
});

send({
  id: "initialize",
  method: "ui/initialize",
  params: {
    appInfo: { name: "beckon-project", title: "Beckon project", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline"] },
    protocolVersion: "2026-01-26",
  },
});
`;

const POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}`;

export const PROJECT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Beckon project</title>
<style>${STYLE}</style>
</head>
<body>
<p id="message" class="quiet" role="status">Waiting for the project.</p>
<main id="project" hidden>
<h1 id="name"></h1>
<p id="what" class="quiet"></p>
<div id="bar" class="bar" role="img"></div>
<dl id="legend"></dl>
<dl id="facts"></dl>
<button id="open" type="button" hidden>Open in the dashboard</button>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** The Content-Security-Policy source of the page's one script or style. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
