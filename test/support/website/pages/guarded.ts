import { eq } from "drizzle-orm";
import { requestRemoval } from "../../../../src/domain/factors/removals.ts";
import { createAddressUndo } from "../../../../src/domain/people/address-undos.ts";
import { CONFIRM_ADDRESS_PATH, UNDO_ADDRESS_PATH } from "../../../../src/domain/users/change-address.ts";
import { secretBoxOf } from "../../../../src/platform/config/secrets-key.ts";
import { ACCOUNT_PATHS, DELETION_PATH, FACTOR_PATHS, PATHS } from "../../../../src/surfaces/website/shell/addresses.ts";
import { ownerOf } from "../../database/people.ts";
import { linkIn } from "../../oauth/consent.ts";
import { giveFactors, showFactorIn } from "../factors.ts";
import { member, PASSWORD } from "../member.ts";
import { listed, type PageVisit } from "./listed-page.ts";

/** Enters the password of an account that also asks for a factor. */
async function passwordOf({ service, send, page }: PageVisit, email: string): Promise<void> {
  await page.context().clearCookies();
  const { accountId } = await member(service, email);
  await giveFactors(service, secretBoxOf(service.config), accountId);
  await send("/sign-in", { email, password: PASSWORD });
}

async function forgetFactor({ service: { db }, guarded }: PageVisit): Promise<void> {
  const { sessions } = db.t;
  const own = eq(sessions.accountId, guarded.accountId);
  await db.tx((tx) => tx.q.update(sessions).set({ factorAt: null }).where(own));
}

let visits = 0;
const anyEmail = () => `second.step.${++visits}@example.com`;

/** Asks for another address. @returns it */
async function requestAddress({ service, guarded, send }: PageVisit): Promise<string> {
  const email = anyEmail();
  const { windows } = service.db.t;
  await service.db.tx((tx) => tx.q.delete(windows).where(eq(windows.subject, guarded.accountId)));
  await send(ACCOUNT_PATHS.address, { email });
  return email;
}

/** The pages about passkeys, authenticator apps, recovery codes and the address. */
export const GUARDED = listed("guarded", {
  "security-guarded": [PATHS.security],
  "new-passkey": [FACTOR_PATHS.newPasskey],
  "recovery-codes": [
    FACTOR_PATHS.recoveryCodes,
    async ({ open, page }) => {
      await open(FACTOR_PATHS.recoveryCodes);
      await page.getByRole("button", { name: "Make new recovery codes" }).click();
      await page.getByText("Save these codes now").waitFor();
    },
  ],
  "confirm-identity": [
    "/sign-in/confirm",
    async (visit) => {
      await forgetFactor(visit);
      await visit.open("/sign-in/confirm?return_to=/dashboard/keys");
      await showFactorIn(visit.service, visit.guarded.accountId);
    },
  ],
  "second-step": ["/sign-in/second-step", (visit) => passwordOf(visit, anyEmail())],
  "second-step-wrong": [
    "/sign-in/second-step",
    async (visit) => {
      await passwordOf(visit, anyEmail());
      await visit.page.locator("input[name=code]").fill("000000");
      await visit.page.getByRole("button", { name: "Continue" }).click();
      await visit.page.getByText("was not accepted").first().waitFor();
    },
  ],
  "lost-factors": [
    "/sign-in/lost",
    async (visit) => {
      await passwordOf(visit, anyEmail());
      await visit.page.getByText("Lost your passkeys and codes?").click();
      await visit.page.getByRole("button", { name: "Remove them in seven days" }).waitFor();
    },
  ],
  "lost-factors-requested": [
    "/sign-in/lost",
    async (visit) => {
      await passwordOf(visit, anyEmail());
      await visit.page.getByText("Lost your passkeys and codes?").click();
      await visit.page.getByRole("button", { name: "Remove them in seven days" }).click();
      await visit.page.getByText("We have sent a mail").waitFor();
    },
  ],
  "removal-cancel": [
    "/sign-in/lost/cancel",
    async ({ service: { db, clock }, guarded, open }) => {
      const requested = await db.tx(async (tx) => {
        await tx.q.delete(tx.t.factorRemovals);
        return requestRemoval(tx, guarded.accountId, clock.now());
      });
      await open(`/sign-in/lost/cancel?link=${requested!.secret}`);
    },
  ],
  "security-removal": [PATHS.security],
  "removal-cancel-gone": ["/sign-in/lost/cancel", "/sign-in/lost/cancel?link=gone"],
  "change-address": [ACCOUNT_PATHS.address],
  "change-address-wrong": [
    ACCOUNT_PATHS.address,
    (visit) => visit.send(ACCOUNT_PATHS.address, { email: visit.guarded.email }),
  ],
  "change-address-sent": [ACCOUNT_PATHS.address, requestAddress],
  "confirm-address": [
    CONFIRM_ADDRESS_PATH,
    async (visit) => visit.open(linkIn(visit.service.outbox, await requestAddress(visit))),
  ],
  "confirm-address-other-account": [
    CONFIRM_ADDRESS_PATH,
    async (visit) => {
      const { service, page, send, open } = visit;
      const link = linkIn(service.outbox, await requestAddress(visit));
      await page.context().clearCookies();
      const { email } = await member(service, anyEmail());
      await send("/sign-in", { email, password: PASSWORD });
      await open(link);
    },
  ],
  "confirm-address-gone": [CONFIRM_ADDRESS_PATH, `${CONFIRM_ADDRESS_PATH}?link=gone`],
  "undo-address": [
    UNDO_ADDRESS_PATH,
    async ({ service: { db, clock }, guarded: { accountId }, open }) => {
      const undo = {
        personId: await ownerOf(db, accountId),
        email: "ann.before@example.com",
        requestedAt: clock.now(),
        now: clock.now(),
      };
      await open(`${UNDO_ADDRESS_PATH}?link=${(await db.tx((tx) => createAddressUndo(tx, undo))).secret}`);
    },
  ],
  "profile-address-changed": [PATHS.profile],
  "delete-account-not-yet": [ACCOUNT_PATHS.delete],
  "delete-account": [
    ACCOUNT_PATHS.delete,
    async ({ service: { db }, open }) => {
      await db.tx((tx) => tx.q.delete(tx.t.addressUndos));
      await open(ACCOUNT_PATHS.delete);
    },
  ],
  "delete-account-wrong": [
    ACCOUNT_PATHS.delete,
    (visit) => visit.send(ACCOUNT_PATHS.delete, { email: "somebody.else@example.com" }),
  ],
  "deletion-pending": [
    DELETION_PATH,
    async (visit) => {
      await visit.page.context().clearCookies();
      const { email } = await member(visit.service, anyEmail());
      await visit.send("/sign-in", { email, password: PASSWORD });
      await visit.send(ACCOUNT_PATHS.delete, { email });
    },
  ],
  "undo-address-gone": [UNDO_ADDRESS_PATH, `${UNDO_ADDRESS_PATH}?link=gone`],
});
