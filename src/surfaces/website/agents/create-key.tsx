import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SCOPES } from "../../../platform/principal.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Notice } from "../components/notice.tsx";
import { McpKeySnippet, RestSnippet } from "../components/snippets.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { confirmIdentity, type SignedInPost, type WebsiteServices } from "../shell/page-request.ts";
import { limitsIn } from "../spending/domain.ts";
import { createKey } from "./domain.ts";
import { endOf, type KeyDraft, nameProblem } from "./key-form.tsx";
import { showKeys } from "./keys.tsx";

/** `POST /dashboard/keys`: creates a key and shows it, this once. */
export async function createKeyPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { config } = services;
  if (!confirmIdentity(request, { formPage: PATHS.keys })) return;
  const id = request.field("id");
  if (!/^key_[0-9a-hjkmnp-tv-z]{20}$/.test(id))
    throw new Refusal("invalid_request", "The form is not complete. Open the page again.");
  const ticked = request.fields("scope");
  const scopes = SCOPES.filter((scope) => ticked.includes(scope));
  const { limits, typed, problem: limitProblem } = limitsIn(request);
  const name = request.field("name").trim();
  const draft: KeyDraft = { name, scopes, lastDay: request.field("last_day"), limits: typed };
  const expiresAt = endOf(draft.lastDay, request.now);
  const refuse = (why: string, status: number) =>
    showKeys(services, request, { message: <Notice variant="bad">{why}</Notice>, draft, status });
  const problem =
    nameProblem(draft.name) ?? (scopes.length === 0 ? "Tick at least one permission." : null) ?? limitProblem;
  if (problem) return refuse(problem, 400);
  if (typeof expiresAt === "string") return refuse(expiresAt, 400);

  const created = await createKey(services, request, { id, name, scopes, expiresAt, limits });
  if (created === "not_allowed") throw keysNotAllowed();
  if (created === "exists") return refuse(AGAIN, 409);
  if (created === "full") return refuse(FULL, 400);
  const body = <NewKeyView apiKey={created} name={draft.name} siteUrl={config.siteUrl} />;
  request.show({ ...dashboardPage({ section: "keys", title: "Your new key", body }), showsSecret: true });
}

const AGAIN =
  "This form has already created a key, and a key is shown only once. If you did not copy it, revoke it below and create another one.";
const FULL = `No key was created: your account has ${SIZES.activeKeys} active keys, which is the maximum. Revoke one first.`;

function keysNotAllowed(): Refusal {
  return new Refusal(
    "payment_required",
    "You can create keys once the account has bought credits and its e-mail address is confirmed.",
  );
}

function NewKeyView({ apiKey, name, siteUrl }: { apiKey: string; name: string; siteUrl: string }): VNode {
  return (
    <>
      <Notice>Copy the key now: it is not shown again. Anybody who has it can use its permissions.</Notice>
      <p>The key “{name}”:</p>
      <CodeBlock class="key" text={apiKey} />
      <h2>Try it</h2>
      <RestSnippet siteUrl={siteUrl} apiKey={apiKey} />
      <h2>For an agent that cannot open a browser</h2>
      <McpKeySnippet siteUrl={siteUrl} />
      <p>
        <a href={PATHS.keys}>I have copied it. Back to all keys</a>
      </p>
    </>
  );
}
