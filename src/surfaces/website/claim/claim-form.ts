import type { RegistrationRow } from "../../../domain/auth/registrations.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import type { Scope } from "../../../platform/principal.ts";
import { relativeTime, timeElement } from "../dashboard/dates.ts";
import { button, form, hidden, input, notice, scopeCheckboxes } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.tsx";
import type { PageRequest } from "../page-request.ts";

/** The page that an agent's link leads to. */
export const CLAIM_PATH = "/claim";

interface ClaimForm {
  readonly registration: RegistrationRow;
  /** The token in the link. */
  readonly attempt: string;
  readonly ticked: readonly Scope[];
  /** What was wrong with the form when it was sent before. */
  readonly problem?: string | undefined;
}

/** Asks the user whether to connect the agent. What the agent says of itself is marked as unverified. */
export function claimPage(
  request: Pick<PageRequest, "csrfToken" | "now">,
  { registration, attempt, ticked, problem }: ClaimForm,
): Page {
  const { agentName, email, ip, createdAt } = registration;
  return {
    title: "Connect an agent - Beckon",
    forms: [],
    body: html`
<h1>Connect “<bdi>${agentName}</bdi>” to your account?</h1>
${problem === undefined ? html`` : notice(problem, "bad")}
<p class="soft">The agent chose this name itself. We have not verified it.</p>
<p class="notice bad"><strong>Only continue if you started this yourself in the last few minutes.</strong> Never enter a
code that somebody sent you: it would give them access to your account.</p>
<p>It registered ${relativeTime(createdAt, request.now)} (${timeElement(createdAt)}) from the IP address <code>${ip}</code>.<br>
Your account: <strong>${email}</strong></p>
${form(
  request,
  CLAIM_PATH,
  html`${hidden({ attempt })}${scopeCheckboxes(scopesIn(registration.scopes), ticked)}
${spendingNotice(scopesIn(registration.scopes))}
${input({
  name: "user_code",
  label: "The code that your agent shows you",
  // Browsers must not fill in a code that came by e-mail or message.
  autocomplete: "off",
  maxLength: 20,
  hint: "6 letters and digits. Case, spaces and dashes make no difference.",
  isCode: true,
})}
<p class="row">${button("Allow", { name: "decision", value: "allow" })}
<button type="submit" name="decision" value="decline" class="quiet" formnovalidate>Decline</button></p>`,
)}`,
  };
}

/** Says what the agent can spend. */
function spendingNotice(scopes: readonly Scope[]): Html {
  const spends = scopes.includes("index") ? html`<strong>spend your credits</strong>` : null;
  const buys = scopes.includes("purchase") ? html`<strong>start purchases</strong>` : null;
  if (!spends && !buys) return html`<p>It stays connected until you disconnect it.</p>`;
  return html`<p>It can ${spends ?? buys!}${spends && buys ? html` and ${buys}` : ""} without asking you again, until
you disconnect it. Untick what it does not need.</p>`;
}
