import { UNSUBSCRIBE_PATH, unsubscribeUrl } from "../../../../src/domain/notices/unsubscribe.ts";
import { createSignInLink, DEMO_EMAIL, type SignInLinkKind } from "../../../../src/domain/users/sign-in-links.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { TRY_PATH } from "../../../../src/surfaces/website/shell/addresses.ts";
import { linkIn } from "../../oauth/consent.ts";
import { signedIn } from "../user.ts";
import { listed, type PageVisit, TRIED_HOST } from "./listed-page.ts";

const PASSWORD = "slow heavy metal music";
const signUpWith =
  (email: string) =>
  ({ send }: PageVisit) =>
    send("/sign-up", { email, password: PASSWORD });

/** @returns the secret of a link that signs somebody in */
function signInLink({ db, clock }: PageVisit["service"], kind: SignInLinkKind, email: string): Promise<string> {
  return db.tx((tx) => createSignInLink(tx, { kind, email, now: clock.now() }));
}

/** The path of a link that switches a notice off. */
function unsubscribeLink({ config }: PageVisit["service"]): string {
  const url = unsubscribeUrl(
    { siteUrl: config.siteUrl, secretBox: secretBoxOf(config) },
    { accountId: "acc_of_nobody", kind: "projects" },
  );
  return url.slice(config.siteUrl.length);
}

/** Fills in the box for strangers, and sends it. */
async function tryPages({ page, open }: PageVisit, lines: readonly string[]): Promise<void> {
  await open(TRY_PATH);
  await page.getByLabel(/^Try it/).fill(lines.join("\n"));
  await page.getByRole("button", { name: "Try these pages" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState();
}

/** Pages with something to say of each. */
function pagesToTry({ site }: PageVisit["service"]): string[] {
  const html = { "Content-Type": "text/html" };
  site.serve("/robots.txt", "User-agent: *\nDisallow: /cart\nUser-agent: PerplexityBot\nDisallow: /blog", {
    "Content-Type": "text/plain",
  });
  for (const path of ["/", "/blog/spring", "/shoes"]) site.serve(path, "<title>Page</title>", html);
  site.serve("/draft", '<meta name="robots" content="noindex">', html);
  const own = ["/", "/blog/spring", "/shoes", "/draft", "/cart", "/old"];
  return [...own.map((path) => `http://${TRIED_HOST}:${site.port}${path}`), "https://nowhere.example/a", "no address"];
}

/** The public pages. */
export const SIGNED_OUT = listed("nobody", {
  home: ["/"],
  try: [TRY_PATH],
  "try-pages": [TRY_PATH, (visit) => tryPages(visit, pagesToTry(visit.service))],
  "try-nothing": [TRY_PATH, (visit) => tryPages(visit, ["no address"])],
  pricing: ["/pricing"],
  bot: ["/bot"],
  privacy: ["/privacy"],
  terms: ["/terms"],
  support: ["/support"],
  docs: ["/docs"],
  quickstart: ["/docs/quickstart/claude"],
  install: ["/docs/install"],
  deployments: ["/docs/deployments"],
  operations: ["/docs/operations"],
  operation: ["/docs/operations/submit_urls"],
  concepts: ["/docs/concepts"],
  limits: ["/docs/limits"],
  "self-hosting": ["/docs/self-hosting"],
  operating: ["/docs/operating"],
  "single-sign-on": ["/docs/single-sign-on"],
  auth: ["/auth"],
  errors: ["/docs/errors"],
  error: ["/docs/errors/insufficient_credits"],
  "not-found": ["/nothing"],
  "docs-not-found": ["/docs/{*path}", "/docs/operation/submit_url"],
  "docs-search": ["/docs/search", "/docs/search?q=credits"],
  components: ["/components"],
  "sign-in": ["/sign-in", "/sign-in?return_to=/dashboard/keys"],
  "sign-in-wrong": ["/sign-in", ({ send }) => send("/sign-in", { email: "nobody@example.com", password: PASSWORD })],
  "sign-in-demo": [
    "/sign-in/demo",
    async ({ service, open }) => open(`/sign-in/demo?link=${await signInLink(service, "demo", DEMO_EMAIL)}`),
  ],
  "sign-in-demo-gone": ["/sign-in/demo", "/sign-in/demo?link=gone"],
  "sign-in-link": [
    "/sign-in/link",
    async ({ service, owner, open }) =>
      open(`/sign-in/link?link=${await signInLink(service, "operator", owner.email)}`),
  ],
  "sign-in-link-gone": ["/sign-in/link", "/sign-in/link?link=gone"],
  "sign-up": ["/sign-up"],
  "sign-up-weak": ["/sign-up", ({ send }) => send("/sign-up", { email: "weak@example.com", password: "password12" })],
  "sign-up-sent": ["/sign-up/sent", signUpWith("sent@example.com")],
  confirm: [
    "/confirm",
    async (visit) => {
      await signUpWith("confirm@example.com")(visit);
      await visit.open(linkIn(visit.service.outbox, "confirm@example.com"));
    },
  ],
  "confirm-elsewhere": [
    "/confirm",
    async (visit) => {
      await signUpWith("elsewhere@example.com")(visit);
      await visit.page.context().clearCookies();
      await visit.open(linkIn(visit.service.outbox, "elsewhere@example.com"));
    },
  ],
  "confirm-gone": ["/confirm", "/confirm?link=gone"],
  forgot: ["/forgot"],
  "forgot-sent": ["/forgot/sent", ({ send }) => send("/forgot", { email: "nobody@example.com" })],
  reset: [
    "/reset",
    async ({ service, send, open }) => {
      const { email } = await signedIn(service);
      await send("/forgot", { email });
      await open(linkIn(service.outbox, email));
    },
  ],
  "reset-gone": ["/reset", "/reset?link=gone"],
  unsubscribe: [UNSUBSCRIBE_PATH, ({ service, open }) => open(unsubscribeLink(service))],
  "unsubscribe-done": [
    UNSUBSCRIBE_PATH,
    async ({ service, open, page }) => {
      await open(unsubscribeLink(service));
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await page.getByText("You are unsubscribed").waitFor();
    },
  ],
  "unsubscribe-gone": [UNSUBSCRIBE_PATH, `${UNSUBSCRIBE_PATH}?token=gone`],
  "sign-in-to-buy": ["/sign-in", "/dashboard/buy?pack=pro"],
  "sign-out": ["/sign-out"],
  "checkout-done-stranger": ["/checkout/done", "/checkout/done?order=ord_unknown"],
  "checkout-cancelled-stranger": ["/checkout/cancelled", "/checkout/cancelled?order=ord_unknown"],
});
