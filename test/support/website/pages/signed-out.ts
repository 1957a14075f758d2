import { addAuthenticatorApp, newAuthenticatorSecret } from "../../../../src/domain/factors/authenticator-app.ts";
import { requireFactor } from "../../../../src/domain/factors/factors.ts";
import { createRecoveryCodes } from "../../../../src/domain/factors/recovery-codes.ts";
import { createDemoLink } from "../../../../src/domain/users/demo-sign-in.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { linkIn } from "../../oauth/consent.ts";
import type { TestService } from "../../service/service.ts";
import { PASSWORD as MEMBER_PASSWORD, member } from "../member.ts";
import { signedIn } from "../user.ts";
import { listed, type PageVisit } from "./listed-page.ts";

const PASSWORD = "slow heavy metal music";
const signUpWith =
  (email: string) =>
  ({ send }: PageVisit) =>
    send("/sign-up", { email, password: PASSWORD });

/** Gives an account an authenticator app and recovery codes, so that a password is not enough to sign in. */
async function addFactors({ db, clock, config }: TestService, accountId: string): Promise<void> {
  const now = clock.now();
  const app = { accountId, secret: newAuthenticatorSecret(), step: 0, now };
  await db.tx(async (tx) => {
    await addAuthenticatorApp(tx, secretBoxOf(config), app);
    await createRecoveryCodes(tx, accountId, now);
    await requireFactor(tx, accountId, true);
  });
}

/** The public pages. */
export const SIGNED_OUT = listed("nobody", {
  home: ["/"],
  pricing: ["/pricing"],
  bot: ["/bot"],
  docs: ["/docs"],
  quickstart: ["/docs/quickstart/claude"],
  operations: ["/docs/operations"],
  operation: ["/docs/operations/submit_urls"],
  concepts: ["/docs/concepts"],
  limits: ["/docs/limits"],
  "self-hosting": ["/docs/self-hosting"],
  operating: ["/docs/operating"],
  auth: ["/auth"],
  errors: ["/docs/errors"],
  error: ["/docs/errors/insufficient_credits"],
  "not-found": ["/nothing"],
  components: ["/components"],
  "sign-in": ["/sign-in", "/sign-in?return_to=/dashboard/keys"],
  "sign-in-wrong": ["/sign-in", ({ send }) => send("/sign-in", { email: "nobody@example.com", password: PASSWORD })],
  "second-step": [
    "/sign-in/second-step",
    async ({ service, send }) => {
      const { email, accountId } = await member(service);
      await addFactors(service, accountId);
      await send("/sign-in", { email, password: MEMBER_PASSWORD });
    },
  ],
  "confirm-identity": [
    "/sign-in/confirm",
    async ({ service, page, open }) => {
      const { user, accountId } = await signedIn(service);
      await addFactors(service, accountId);
      const cookie = { name: "sid", value: user.cookies.get("sid")!, url: service.url };
      await page.context().addCookies([cookie]);
      await open("/sign-in/confirm?return_to=/dashboard/keys");
    },
  ],
  "sign-in-demo": [
    "/sign-in/demo",
    async ({ service: { db, clock }, open }) =>
      open(`/sign-in/demo?link=${await db.tx((tx) => createDemoLink(tx, clock.now()))}`),
  ],
  "sign-in-demo-gone": ["/sign-in/demo", "/sign-in/demo?link=gone"],
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
  "sign-in-to-buy": ["/sign-in", "/dashboard/buy?pack=pro"],
  "sign-out": ["/sign-out"],
  "checkout-done-stranger": ["/checkout/done", "/checkout/done?order=ord_unknown"],
  "checkout-cancelled-stranger": ["/checkout/cancelled", "/checkout/cancelled?order=ord_unknown"],
});
