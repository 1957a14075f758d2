import { FINDING_LABELS } from "../../../contract/finding-labels.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { viewPage } from "./page.ts";

/**
 * What has come of a project, next to an answer of get_project: how many pages are in Google, when they were found, why the others are
 * not there and what to do. The reasons are in get_report, which it calls where the host lets it.
 */

const STYLE = `
:root {
  --indexed: light-dark(#1a7f4b, #4ac486);
  --gone: light-dark(#8a4fbf, #bd8fe8);
  --not_indexed: light-dark(#b86e00, #e6a545);
  --unknown: light-dark(#566074, #a6afc1);
  --failed: light-dark(#b3261e, #f0837b);
  --checking: light-dark(#2b62c9, #7ca8f5);
  --waiting: light-dark(#8b95a7, #7d8798);
}
#result { font-size: 18px; font-weight: 600; line-height: 1.35; margin: 6px 0; }
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
${Object.keys(FINDING_LABELS)
  .map((finding) => `.${finding} { background: var(--${finding}); }`)
  .join("\n")}
dl { display: grid; gap: 4px 20px; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
dl > div { align-items: baseline; display: flex; gap: 8px; }
dt > i { border-radius: 3px; display: inline-block; height: 10px; margin-right: 8px; width: 10px; }
dd { font-variant-numeric: tabular-nums; font-weight: 600; margin-left: auto; }
#days { list-style: none; padding: 0; }
#days > li { align-items: center; display: grid; gap: 8px; grid-template-columns: 4em 1fr 4em; }
#days i { border-radius: 3px; display: block; height: 10px; }
#days b { font-variant-numeric: tabular-nums; text-align: right; }
#reasons { padding-left: 18px; }
#reasons > li { margin-top: 6px; }
`;

const SCRIPT = `
const LABELS = ${JSON.stringify(FINDING_LABELS)};
const FIRST_CHECK = ${CHECK_DAYS.first};
const REASONS = 5;

async function show({ structuredContent: project, isError }) {
  if (isError || project?.object !== "project") return say("This project could not be read. The answer says why.");
  write(project, null);
  if (!host.serverTools) return;
  const call = { name: "get_report", arguments: { project_id: project.id, rows: ${SIZES.reportRows} } };
  const report = (await ask("tools/call", call))?.structuredContent;
  if (report?.project_id === project.id) write(project, report);
}

function write(project, report) {
  const counts = findingsOf(project, report);
  at("name").textContent = project.name;
  at("result").textContent = resultOf(project, counts, report);
  const some = Object.keys(LABELS).filter((finding) => counts[finding] > 0);
  const label = (finding) => finding === "failed" && project.kind === "check" ? "Not looked up" : LABELS[finding];
  at("bar").replaceChildren(...some.map((finding) => segment(finding, counts[finding])));
  at("bar").setAttribute("aria-label", some.map((finding) => label(finding) + ": " + counts[finding]).join(", "));
  at("legend").replaceChildren(...some.map((finding) => row(label(finding), counts[finding], finding)));
  writeDays(report?.found_by_day ?? []);
  writeReasons(report?.groups ?? []);
  reveal(project.dashboard_url);
}

// A project alone does not tell pages that are gone, or of which nobody knows: its report does, unless it was cut.
function findingsOf({ counts }, report) {
  const known = { ...counts, gone: 0, unknown: 0 };
  const found = Object.fromEntries(Object.keys(LABELS).map((finding) => [finding, 0]));
  for (const { status, count } of report?.groups ?? []) found[status] += count;
  const sum = Object.values(found).reduce((total, count) => total + count, 0);
  return sum === counts.total ? found : known;
}

function resultOf({ kind, status, counts: { total }, credits_returned: returned }, counts, report) {
  const sent = kind === "index";
  const lookedUp = counts.indexed + counts.gone + counts.not_indexed + counts.unknown > 0;
  const days = report?.found_by_day ?? [];
  const early = days.filter(({ day }) => day <= FIRST_CHECK).reduce((sum, { count }) => sum + count, 0);
  const parts = lookedUp || status === "completed"
    ? [
        number(counts.indexed) + " of " + number(total) + " in Google" + (status === "active" ? " so far" : ""),
        sent && early > 0 && number(early) + " by day " + FIRST_CHECK,
        counts.gone > 0 && number(counts.gone) + " gone",
      ]
    : [counted(total, "URL") + (sent ? " submitted" : " to look up"), "not looked up in Google yet"];
  return [...parts, returned > 0 && counted(returned, "credit") + " back"].filter(Boolean).join(" · ");
}

function writeDays(days) {
  const most = Math.max(...days.map(({ count }) => count));
  at("days").replaceChildren(...days.map(({ day, count }) => {
    const [line, bar] = [made("li"), made("i", undefined, "indexed")];
    bar.style.width = Math.max(1, 100 * count / most) + "%";
    line.append(made("span", "Day " + day), bar, made("b", number(count)));
    return line;
  }));
  at("found").hidden = days.length === 0;
}

function writeReasons(groups) {
  const open = ["indexed", "waiting", "checking"];
  const reasons = groups.filter(({ status, reason }) => !open.includes(status) && reason !== status && reason !== "already_indexed");
  at("reasons").replaceChildren(...reasons.slice(0, REASONS).map(({ words, count, next_step: next }) => {
    const line = made("li");
    line.append(made("strong", words), " ", made("span", counted(count, "URL"), "quiet"), made("p", next));
    return line;
  }));
  const rarer = reasons.length - REASONS;
  at("rarer").textContent = rarer > 0 ? "and " + counted(rarer, "rarer reason") : "";
  at("why").hidden = reasons.length === 0;
}

function segment(finding, count) {
  const part = made("i", undefined, finding);
  part.style.flexGrow = count;
  return part;
}

function row(label, value, finding) {
  const [line, term] = [made("div"), made("dt")];
  term.append(made("i", undefined, finding), label);
  line.append(term, made("dd", number(value)));
  return line;
}

function number(count) {
  return count.toLocaleString("en");
}
`;

export const RESULT_PAGE = viewPage({
  name: "beckon-project",
  title: "Beckon project",
  waiting: "Waiting for the project.",
  style: STYLE,
  script: SCRIPT,
  body: `<h1 id="name"></h1>
<p id="result"></p>
<div id="bar" class="bar" role="img"></div>
<dl id="legend"></dl>
<section id="found" hidden>
<h2>Pages found by day</h2>
<ol id="days"></ol>
</section>
<section id="why" hidden>
<h2>Why the others are not there</h2>
<ul id="reasons"></ul>
<p id="rarer" class="quiet"></p>
</section>`,
  open: "Open in the dashboard",
});
