import { viewPage } from "./page.ts";

/**
 * A call that waits for the yes of a person, next to the refusal that says so. It opens the page where the person decides, and decides
 * nothing itself: a host, or whoever writes into its conversation, could press a button here.
 */

const SCRIPT = `
function show({ content, structuredContent, isError }) {
  if (!isError) return say(doneWords(structuredContent));
  const error = errorIn(content);
  if (error?.code !== "approval_required") return say(error?.message ?? "The call was refused. The answer says why.");
  at("what").textContent = error.needed > 0
    ? "It costs " + counted(error.needed, "credit") + ", more than this program may spend by itself."
    : "This program may not do it by itself.";
  at("until").textContent = error.expires_at
    ? "Nothing is done or spent before the approval. The question ends on " + error.expires_at.slice(0, 10) + "."
    : "Other calls wait already: nothing more is asked for until they are decided.";
  reveal(error.approval_url);
  at("address").textContent = host.openLinks ? "" : error.approval_url;
}

function doneWords(answer) {
  return answer?.project?.object === "project"
    ? answer.project.name + ": " + counted(answer.urls_accepted, "URL") + ", " + counted(answer.credits_spent, "credit") + "."
    : "The call was made.";
}

function errorIn(content) {
  for (const { type, text } of content ?? []) {
    try {
      const error = type === "text" && JSON.parse(text).error;
      if (error) return error;
    } catch {}
  }
}
`;

export const APPROVAL_PAGE = viewPage({
  name: "beckon-approval",
  title: "Beckon approval",
  waiting: "Waiting for the call.",
  style: "",
  script: SCRIPT,
  body: `<h1>This call waits for your approval</h1>
<p id="what"></p>
<p id="until" class="quiet"></p>
<p id="address" class="quiet"></p>`,
  open: "Look at it and decide",
});
