import { createKeyOnce } from "../../../domain/accounts/keys.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { isRecent } from "../../../domain/users/sessions.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/limits.ts";
import { SCOPES } from "../../../platform/principal.ts";
import { codePoints, hasControl } from "../../../platform/text.ts";
import { notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import { redirectToSignIn, type SignedInPost, type WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.ts";
import { type KeyDraft, NAME_LENGTH } from "./key-form.ts";
import { showKeys } from "./keys.ts";
import { PATHS } from "./paths.ts";
import { mcpKeySnippet, restSnippet } from "./snippets.ts";

/** `POST /dashboard/keys`: shows the new key, this once. */
export async function createKeyPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { config } = services;
  if (!isRecent(request.session, request.now)) return redirectToSignIn(request, true, PATHS.keys);
  const id = request.field("id");
  if (!/^key_[0-9a-hjkmnp-tv-z]{20}$/.test(id))
    throw new Refusal("invalid_request", "The form is not complete. Open the page again.");
  const ticked = request.fields("scope");
  const draft = { name: request.field("name").trim(), scopes: SCOPES.filter((scope) => ticked.includes(scope)) };
  const problem = problemOf(draft);
  if (problem) return showKeys(services, request, { message: notice(problem, "bad"), draft, status: 400 });

  const { session, ip, now } = request;
  const { accountId } = session;
  const made = await request.sessionTx(async (tx) => {
    if (session.verifiedAt === null || !(await isPaid(tx, accountId))) throw notYet();
    return createKeyOnce(tx, { ...draft, id, accountId, mode: config.mode, ip, now });
  });
  if (made === "again") return showKeys(services, request, { message: notice(AGAIN, "bad"), status: 409 });
  if (made === "full") return showKeys(services, request, { message: notice(FULL, "bad"), status: 400 });
  request.show(
    dashboardPage(request, { tab: "keys", title: "Your new key", body: shown(made, draft.name, config.siteUrl) }),
  );
}

const AGAIN = "This form made its key already, and a key is shown only once. Revoke it below if you did not copy it.";
const FULL = `No key was made: the account has ${SIZES.activeKeys} active keys, and that is the most. Revoke one first.`;

function problemOf({ name, scopes }: KeyDraft): string | null {
  if (name === "") return "Give the key a name.";
  if (codePoints(name) > NAME_LENGTH || hasControl(name))
    return `A name has at most ${NAME_LENGTH} characters, all of them visible.`;
  return scopes.length === 0 ? "Tick at least one thing the key may do." : null;
}

function notYet(): Refusal {
  return new Refusal(
    "payment_required",
    "Keys are made once the account has bought credits and its e-mail address is confirmed.",
  );
}

function shown(key: string, name: string, siteUrl: string): Html {
  return html`${notice("Copy it now: it is not shown again. Whoever has it can do what you ticked.")}
<p>The key ${name}:</p>
<pre class="key"><code>${key}</code></pre>
<h2>Try it</h2>
${restSnippet(siteUrl, key)}
<h2>For an agent that cannot open a browser</h2>
${mcpKeySnippet(siteUrl)}
<p><a href="${PATHS.keys}">I have copied it: back to all keys</a></p>`;
}
