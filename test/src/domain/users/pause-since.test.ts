import { beforeEach, expect, test } from "vitest";
import { createAddressUndo } from "../../../../src/domain/people/address-undos.ts";
import { requestPasswordReset, resetPassword } from "../../../../src/domain/users/reset.ts";
import { undoAddressChange } from "../../../../src/domain/users/undo-address.ts";
import { saveWatch } from "../../../../src/domain/watches/save-watch.ts";
import { changeWebhook, createWebhook, rotateSecret, webhookAt } from "../../../../src/domain/webhooks/webhooks.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { ownerOf, ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { linkIn, testUsers, visitor } from "../../../support/website/test-users.ts";

const t = eachTest(testUsers);
const EMAIL = "ann@example.com";
const ANN = visitor("ann's laptop");

let id: string;
beforeEach(async () => {
  id = await t.member(EMAIL);
});

const now = () => t.store.clock.now();

async function hook(name: string): Promise<void> {
  const fields = { url: `https://${name}.example/hook`, types: null, description: "", status: "active" } as const;
  const made = { accountId: id, maker: await ownerOf(t.store.db, id), now: now(), ...fields };
  await t.store.db.tx((tx) => createWebhook(tx, t.services.secretBox, made));
}

const hookAt = async (name: string) =>
  (await webhookAt(t.store.db, {
    accountId: id,
    maker: await ownerOf(t.store.db, id),
    url: `https://${name}.example/hook`,
  }))!;

async function watch(name: string, change = {}): Promise<void> {
  const url = `https://${name}.example/sitemap.xml`;
  const times = { now: now(), service: t.store.clock.service() };
  await t.store.db.tx(async (tx) =>
    saveWatch(tx, { principal: await ownerPrincipal(tx, id), watchId: undefined, url, change, ...times }),
  );
}

/** What is paused, by the hosts that it is about. */
async function paused(): Promise<string[]> {
  const { webhooks, watches } = t.store.db.t;
  const hooks = await t.store.db.q.select().from(webhooks);
  const rows = await t.store.db.q.select().from(watches);
  const stopped = [
    ...hooks.map(({ url, status }) => ({ url, status })),
    ...rows.map((row) => ({ url: row.sitemapUrl, status: row.status })),
  ];
  return stopped.filter(({ status }) => status === "paused").map(({ url }) => new URL(url).host);
}

/** Things of the owner, and after three days things that somebody else made or changed. @returns when that began */
async function madeByTwo(): Promise<number> {
  for (const name of ["mine", "led", "rotated"]) await hook(name);
  await watch("mine-watch");
  await watch("changed-watch");
  t.store.clock.pass(3 * DAY);
  const since = now();
  t.store.clock.pass(HOUR);
  await hook("thief");
  await watch("thief-watch");
  await watch("changed-watch", { creditsPerMonth: 9_000 });
  const { db } = t.store;
  const [led, rotated] = [await hookAt("led"), await hookAt("rotated")];
  await db.tx((tx) => changeWebhook(tx, led, { url: "https://thief-too.example/hook" }, now()));
  await db.tx((tx) => rotateSecret(tx, t.services.secretBox, rotated, now()));
  t.store.clock.pass(HOUR);
  return since;
}

const CHANGED = [
  "changed-watch.example",
  "rotated.example",
  "thief-too.example",
  "thief-watch.example",
  "thief.example",
];
const ALL = [...CHANGED, "mine-watch.example", "mine.example"];

async function reset(pausedSince?: number): Promise<void> {
  await requestPasswordReset(t.services, { email: EMAIL, returnTo: "/dashboard", visitor: ANN, now: now() });
  const link = linkIn(t.outbox.at(-1));
  const since = pausedSince === undefined ? {} : { pausedSince };
  const wanted = { link, password: "nine loud herons again", revokeAccess: true, visitor: ANN, now: now(), ...since };
  expect(await resetPassword(t.services, wanted)).not.toBeNull();
}

/** Hosts of which a mail says that they were paused. */
const listed = (subject: string) => {
  const { text } = t.outbox.findLast((mail) => mail.subject === subject)!;
  const lines = text.match(/^- W(?:atch of|ebhook to)[ \n]\S+$/gm) ?? [];
  return lines.map((line) => new URL(line.split(/\s/).at(-1)!).host).sort();
};

test("law: undoing a change of the address pauses what was made or changed since it was asked for, and the mail lists it", async () => {
  const requestedAt = await madeByTwo();
  const undone = { personId: await ownerOf(t.store.db, id), email: "ann@old.example", requestedAt, now: now() };
  const { secret } = await t.store.db.tx((tx) => createAddressUndo(tx, undone));
  await undoAddressChange(t.services, { link: secret, visitor: ANN, now: now() });
  expect((await paused()).sort()).toEqual(CHANGED);
  expect(listed("Your Beckon account has its old address again")).toEqual(CHANGED);
});

test("law: a reset of the password that revokes access pauses all of it, or what was made or changed since a day", async () => {
  const since = await madeByTwo();
  await reset(since);
  expect((await paused()).sort()).toEqual(CHANGED);
  expect(listed("Your Beckon password was changed")).toEqual(CHANGED);
  await reset();
  expect((await paused()).sort()).toEqual(ALL.sort());
  expect(listed("Your Beckon password was changed")).toEqual(["mine-watch.example", "mine.example"]);
});
