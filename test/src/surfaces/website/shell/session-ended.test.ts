import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { ordersOf } from "../../../../../src/domain/payments/orders/orders.ts";
import { endSessions } from "../../../../../src/domain/users/sessions.ts";
import { ownerOf } from "../../../../support/database/people.ts";
import { Agent } from "../../../../support/oauth/agent.ts";
import { registerApp } from "../../../../support/oauth/authorizing-app.ts";
import { packForm } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { type PageSeen, signedIn, type User } from "../../../../support/website/user.ts";

/** Holds transactions back; null: they run at once. */
let hold: { readonly released: Promise<void>; reached(): void } | null = null;

const service = await testService({
  engine: (db) => ({
    ...db,
    async tx(...given) {
      hold?.reached();
      await hold?.released;
      return db.tx(...given);
    },
  }),
});
afterAll(() => service.close());

/** Sends a form, holds its transaction back, ends all sessions of the account, and lets the transaction go on. */
async function endSessionsMeanwhile(accountId: string, act: () => Promise<PageSeen>): Promise<PageSeen> {
  const [waiting, release] = [signal(), signal()];
  hold = { released: release.given, reached: waiting.give };
  const answer = act();
  await waiting.given;
  hold = null;
  await service.db.tx(async (tx) => endSessions(tx, await ownerOf(tx, accountId), service.clock.now()));
  release.give();
  return answer;
}

function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

async function rowsOf(accountId: string) {
  const { q, t } = service.db;
  return {
    keys: (await q.select().from(t.apiKeys).where(eq(t.apiKeys.accountId, accountId))).length,
    grants: (await q.select().from(t.grants).where(eq(t.grants.accountId, accountId))).length,
    orders: (await ordersOf(service.db, accountId, { status: "pending", limit: 9, offset: 0 })).rows.length,
    codes: (await q.select().from(t.codes).where(eq(t.codes.accountId, accountId))).length,
  };
}

type Form = (user: User, email: string) => Promise<() => Promise<PageSeen>>;

const FORMS: Readonly<Record<string, Form>> = {
  "a key": async (user) => {
    const page = await user.get("/dashboard/keys");
    return () => user.submit(page, { name: `k ${randomBytes(4).toString("hex")}` }, "/dashboard/keys");
  },
  "an order": (user) => packForm(user, "basic"),
  "a consent": async (user) => {
    const page = await user.get((await registerApp(service)).address());
    return () => user.submit(page, { decision: "allow" });
  },
  "a claim": async (user, email) => {
    const { claim } = (await new Agent(service).register(email)).body;
    const page = await user.get(claim.verification_uri);
    return () => user.submit(page, { user_code: claim.user_code, decision: "allow" });
  },
};

test.each(Object.keys(FORMS))(
  "303 to sign in, and nothing is made: %s of a session that ended meanwhile",
  async (name) => {
    const { user, accountId, email } = await signedIn(service);
    const send = await FORMS[name]!(user, email);
    const answer = await endSessionsMeanwhile(accountId, send);
    expect([answer.status, answer.location]).toEqual([303, "/sign-in"]);
    expect(await rowsOf(accountId)).toEqual({ keys: 0, grants: 0, orders: 0, codes: 0 });
  },
);
