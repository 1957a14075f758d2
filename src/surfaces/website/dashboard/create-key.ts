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
import { dashboardPage } from "./dashboard-page.tsx";
import { type KeyDraft, NAME_LENGTH } from "./key-form.ts";
import { showKeys } from "./keys.ts";
import { PATHS } from "./paths.ts";
import { mcpKeySnippet, restSnippet } from "./snippets.ts";

/** `POST /dashboard/keys`: creates a key and shows it, this once. */
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
  const created = await request.sessionTx(async (tx) => {
    if (session.verifiedAt === null || !(await isPaid(tx, accountId))) throw keysNotAllowed();
    return createKeyOnce(tx, { ...draft, id, accountId, mode: config.mode, ip, now });
  });
  if (created === "exists") return showKeys(services, request, { message: notice(AGAIN, "bad"), status: 409 });
  if (created === "full") return showKeys(services, request, { message: notice(FULL, "bad"), status: 400 });
  request.show(
    dashboardPage({ section: "keys", title: "Your new key", body: newKey(created, draft.name, config.siteUrl) }),
  );
}

const AGAIN =
  "This form has already created a key, and a key is shown only once. If you did not copy it, revoke it below and create another one.";
const FULL = `No key was created: your account has ${SIZES.activeKeys} active keys, which is the maximum. Revoke one first.`;

function problemOf({ name, scopes }: KeyDraft): string | null {
  if (name === "") return "Give the key a name.";
  if (codePoints(name) > NAME_LENGTH || hasControl(name))
    return `A name may have at most ${NAME_LENGTH} characters, and no control characters.`;
  return scopes.length === 0 ? "Tick at least one permission." : null;
}

function keysNotAllowed(): Refusal {
  return new Refusal(
    "payment_required",
    "You can create keys once the account has bought credits and its e-mail address is confirmed.",
  );
}

function newKey(key: string, name: string, siteUrl: string): Html {
  return html`${notice("Copy the key now: it is not shown again. Anybody who has it can use its permissions.")}
<p>The key “${name}”:</p>
<pre class="key"><code>${key}</code></pre>
<h2>Try it</h2>
${restSnippet(siteUrl, key)}
<h2>For an agent that cannot open a browser</h2>
${mcpKeySnippet(siteUrl)}
<p><a href="${PATHS.keys}">I have copied it. Back to all keys</a></p>`;
}
