import { afterAll, expect, test } from "vitest";
import { accountByEmail } from "../../src/domain/accounts/accounts.ts";
import { grantsOf } from "../../src/domain/oauth/grants.ts";
import { HOUR, SECOND } from "../../src/platform/clock.ts";
import { Agent } from "../support/oauth/agent.ts";
import { type Answer, appOf } from "../support/oauth/app.ts";
import { testService } from "../support/service/service.ts";
import { stateOf } from "../support/website/account-state.ts";
import { lastLink, PASSWORD } from "../support/website/member.ts";
import { type PageSeen, signedIn, User } from "../support/website/user.ts";

/** Two nodes on one database, asked for the same thing at the same moment: one does it, the other has its own answer. */
const one = await testService();
const two = await testService({ sharedWith: one });
const nodes = [one, two] as const;
afterAll(async () => {
  await two.close();
  await one.close();
});

const ROUNDS = 5;

test("law: two mailed links of one address, used at once: one account, and one browser signed in", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    one.clock.pass(HOUR);
    const email = `new${round}@example.com`;
    const users: [User, PageSeen][] = [];
    for (const node of nodes) {
      const user = new User(node);
      await user.submit(await user.get("/sign-up"), { email, password: PASSWORD }, "/sign-up");
      users.push([user, await user.get(lastLink(node, email))]);
    }
    const pressed = await Promise.all(users.map(([user, page]) => user.submit(page, {}, "/confirm")));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 410]);
    const people = await one.db.q.select().from(one.db.t.people);
    expect(people.filter((person) => person.email === email)).toHaveLength(1);
    expect(await accountByEmail(two.db, email)).not.toBeNull();
  }
});

test("law: the code of an agent typed at two nodes at once claims it once", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    one.clock.pass(HOUR);
    const { user, email, accountId } = await signedIn(one);
    const { claim } = (await new Agent(one).register(email)).body;
    const typed = nodes.map(async (node) => {
      const browser = new User(node);
      for (const [name, value] of user.cookies) browser.cookies.set(name, value);
      const page = await browser.get(claim.verification_uri);
      return () => browser.submit(page, { user_code: claim.user_code, decision: "allow" }, "/claim");
    });
    const ready = await Promise.all(typed);
    const answers = await Promise.all(ready.map((press) => press()));
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    expect(await grantsOf(one.db, accountId)).toHaveLength(1);
  }
});

test("law: an agent gets its tokens once, whichever node it polls", async () => {
  const { user, email } = await signedIn(one);
  const registered = (await new Agent(one).register(email)).body;
  const page = await user.get(registered.claim.verification_uri);
  await user.submit(page, { user_code: registered.claim.user_code, decision: "allow" }, "/claim");
  const polls = await Promise.all(nodes.map((node) => new Agent(node).poll(registered.claim_token)));
  expect(polls.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(polls.find(({ status }) => status === 400)!.body.error).toBe("invalid_grant");
});

/** One answer has tokens; the other is a refusal of OAuth's. */
function oneWon(answers: readonly Answer[]): void {
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)!.json.error).toBe("invalid_grant");
}

test("law: a code is redeemed once", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    one.clock.pass(HOUR);
    const { id: accountId } = await one.account();
    const code = await appOf(one).code({ accountId });
    oneWon(await Promise.all(nodes.map((node) => appOf(node).exchange(code))));
  }
});

test("law: a refresh token works once; a second use ends the grant at both nodes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    one.clock.pass(HOUR);
    const { refresh, accountId } = await appOf(one).connected();
    oneWon(await Promise.all(nodes.map((node) => appOf(node).refresh(refresh))));
    expect(await grantsOf(two.db, accountId)).toEqual([]);
  }
});

test("law: within REFRESH_OVERLAP_SECONDS two nodes give a token one successor, and end nothing", async () => {
  const config = { refreshOverlapMs: 30 * SECOND };
  const overlapping = [await testService({ sharedWith: one, config }), await testService({ sharedWith: one, config })];
  for (let round = 0; round < ROUNDS; round++) {
    one.clock.pass(HOUR);
    const { refresh } = await appOf(one).connected();
    const answers = await Promise.all([...overlapping, ...overlapping].map((node) => appOf(node).refresh(refresh)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [successor, ...others] = new Set(answers.map(({ json }) => json.refresh_token));
    expect(others).toEqual([]);
    expect((await appOf(two).refresh(successor)).status).toBe(200);
  }
  for (const node of overlapping) await node.close();
});

test("law: one Idempotency-Key at two nodes at once makes one project; the other call gets 409, and then the same answer", async () => {
  const body = { urls: ["https://example.com/"] };
  for (let round = 0; round < ROUNDS; round++) {
    one.clock.pass(HOUR);
    const { id, key } = await one.account();
    const headers = { "Idempotency-Key": "same" };
    const send = (node: typeof one) => node.request("POST", "/projects", { key, body, headers });
    const answers = await Promise.all([...nodes, ...nodes].map(send));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    for (const { status, json, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, json.error.code, headers.get("retry-after")]).toEqual([409, "idempotency_in_flight", "1"]);
    }
    const later = await send(two);
    expect([later.text, later.headers.get("idempotent-replayed")]).toEqual([made[0]!.text, "true"]);
    const other = await two.request("POST", "/projects", { key, body: { urls: ["https://example.org/"] }, headers });
    expect(other.json.error.code).toBe("idempotency_mismatch");
    const state = await stateOf(two.db, id);
    expect([state.balance, state.projects.length]).toEqual([149, 1]);
  }
});
