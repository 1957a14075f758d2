import { setTimeout as sleep } from "node:timers/promises";
import { audit } from "../../src/domain/audit/audit.ts";
import { FATES, type Fate } from "../../src/indexing/engines/sandbox/fate.ts";
import { DAY } from "../../src/platform/clock.ts";
import { connectAgent, type Project } from "../demo/agent.ts";
import { progressOn } from "../demo/progress.ts";
import { tableOf } from "../demo/table.ts";
import { buy, packsOf, register } from "./agent.ts";
import { claim } from "./user.ts";
import type { World } from "./world.ts";

const EMAIL = "person@example.com";
const PACK = "basic";
const PURSE = 25;
const COMES_BACK: readonly Fate[] = ["never", "rejected", "dropped", "silent"];
const PACE_MS = 500;

/** Plays an agent's first day: it is let in, buys, submits, and has credits returned. @returns whether the audit passes */
export async function tell({ devnet, service, mailbox }: World, say: (text: string) => void): Promise<boolean> {
  const { address: url } = service;
  const { db, clock } = service.instance;
  const wallet = await devnet.buyer(PURSE);
  const purse = async () => dollars(await devnet.balanceOf(wallet.address));
  say(`A chain with a test dollar and a facilitator, and a Beckon that takes it at ${url}. Nothing here is real.`);
  say(`The agent has a wallet, ${wallet.address}, with ${await purse()}, and knows one address: ${EMAIL}.`);

  chapter("It asks to be let in");
  const registration = await register(url, EMAIL);
  const { link, code } = registration.shown;
  say(`It registers and shows its user a link and a code:\n  ${link}\n  ${code}`);
  await claim(url, mailbox, registration.shown);
  const token = await registration.collect();
  say("The user opens the link, signs up, confirms the address, types the code and allows it.");
  const agent = await connectAgent(url, token);
  const credits = async () => `${(await agent.account()).credits} credits`;
  say(`It collects its token and reads the account over MCP: ${await credits()}, nothing bought yet.`);

  chapter("It pays from its wallet");
  const packs = await packsOf(url);
  for (const { id, credits, price } of packs) say(`  ${id.padEnd(8)} ${String(credits).padStart(5)} credits  ${price}`);
  const { network, token: asset } = devnet;
  const { order, balance } = await buy(url, { token, wallet, asset: { network, asset }, most: "10000000", pack: PACK });
  const { hash, amount } = order.transaction;
  say(
    `It calls POST /api/v1/credits/x402, is answered 402 with the price, signs ${dollars(BigInt(amount))}, calls again:`,
  );
  say(`  order ${order.id}, paid by ${hash}`);
  say(
    `  wallet ${await purse()}, Beckon's ${dollars(await devnet.balanceOf(devnet.payTo))}, account ${balance} credits`,
  );

  chapter("It has pages indexed");
  const { project } = await agent.submit(pages(), "Pages of all fates");
  say(`It submits ${project.counts.total} pages for ${project.credits_spent} credits: ${await credits()} are left.`);
  const startedAt = clock.service();
  const follow = progressOn(process.stderr);
  let seen: Project = project;
  while (seen.status === "active") {
    await sleep(PACE_MS);
    seen = await agent.project(project.id);
    follow([seen], (clock.service() - startedAt) / DAY);
  }
  say(`\n${tableOf([seen])}`);

  chapter("Credits of pages that Google does not have are returned");
  const { credits_spent: spent, credits_returned: returned } = seen;
  say(`${order.credits} bought - ${spent} spent + ${returned} returned = ${await credits()}.`);
  await agent.close();
  const { ok, problems } = await audit(db);
  say(ok ? "Audit: ledger, orders and links agree." : `Audit: ${problems.join("; ")}`);
  return ok && returned > 0;

  function chapter(title: string): void {
    say(`\n${title}`);
  }
}

/** Four pages of every fate that ends well, and two of every fate for which credits come back. */
function pages(): string[] {
  const fates = Object.keys(FATES) as Fate[];
  return fates.flatMap((fate) =>
    Array.from({ length: COMES_BACK.includes(fate) ? 2 : 3 }, (_, i) => `https://example.com/${i + 1}?sandbox=${fate}`),
  );
}

function dollars(units: bigint): string {
  return `$${(Number(units) / 1e6).toFixed(2)}`;
}
