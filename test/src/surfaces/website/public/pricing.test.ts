import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { afterAll, describe, expect, test } from "vitest";
import { PACKS } from "../../../../../src/domain/payments/orders/packs.ts";
import { type Config, readConfig } from "../../../../../src/platform/config/config.ts";
import { documentsOf } from "../../../../../src/surfaces/docs/index.ts";
import { blocksIn } from "../../../../support/checks/markdown-blocks.ts";
import { signUp } from "../../../../support/oauth/consent.ts";
import { DIRECT, ordersOfAccount } from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { member, signInAs } from "../../../../support/website/member.ts";
import { User } from "../../../../support/website/user.ts";

/** The program on the page of a deployment that takes payments from a wallet. */
const { markdown } = documentsOf({ ...readConfig({ SITE_URL: "http://beckon.test" }), direct: DIRECT }).find(
  ({ path }) => path === "/pricing",
)!;
const EXAMPLE = blocksIn(markdown).find(({ language }) => language === "js")!.text;

/** The page of a deployment. */
async function pricingOf(config: Partial<Config>) {
  const service = await testService({ config, payments: { cards: null, direct: null } });
  const page = await new User(service).get("/pricing");
  await service.close();
  return page;
}

describe("in the sandbox", async () => {
  const service = await testService();
  afterAll(() => service.close());

  test("200: every pack has a link to buy it, and the sandbox is named", async () => {
    const page = await new User(service).get("/pricing");
    for (const { id, name } of PACKS)
      expect(page.html).toContain(`<a href="/dashboard/buy?pack=${id}">Buy ${name}</a>`);
    expect(page.text).toContain("This is a sandbox.");
    expect(page.text).toContain("POST http://beckon.test/api/v1/checkout");
    expect(page.text).not.toMatch(/not open yet|wallet|x402/);
  });

  test("somebody new who chose a pack signs up, and finds it selected", async () => {
    const user = new User(service);
    const asked = await user.follow(await user.get("/dashboard/buy?pack=premium"));
    expect(asked.text).toContain("Credits belong to an account. Sign in to continue.");
    const email = "new@example.com";
    const arrived = await signUp(user, service.outbox, { email, from: "/dashboard/buy?pack=premium" });
    expect(arrived.text).toContain("Premium $59.99 1,100 credits $0.055 each selected");
  });

  test("somebody with an account signs in, and finds the pack selected", async () => {
    const user = new User(service);
    const who = await member(service);
    const arrived = await user.follow(await signInAs(user, who, "/dashboard/buy?pack=basic"));
    expect(arrived.text).toContain("Basic $9.99 150 credits $0.067 each selected");
    expect(await ordersOfAccount(service, who.accountId)).toEqual([]);
  });
});

test("200 with Stripe: says that the payment page is Stripe's", async () => {
  const page = await pricingOf({ cards: "stripe" });
  expect(page.text).toContain("pay on a page of Stripe");
  expect(page.text).not.toContain("sandbox");
});

test("200 without cards: no link to buy, and whom to ask for credits", async () => {
  const page = await pricingOf({ cards: "none" });
  expect(page.text).toContain("This deployment does not accept cards. Ask its operator for credits.");
  expect(page.html).not.toMatch(/dashboard\/buy|\/checkout/);
});

test("200 with direct payment: network, token, and code for the official client", async () => {
  const page = await pricingOf({ cards: "none", direct: DIRECT });
  expect(page.html).toContain('<a href="#for-agents-with-a-wallet">');
  expect(page.text).toContain("Network Base, eip155:8453 Token 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913");
  expect(page.text).toContain("Without setSpendControls the client refuses every pack");
  expect(page.text).toContain(EXAMPLE.replace(/\s+/g, " "));
});

/** A call of the example, run with a wallet that signs nothing. @returns what it asked for, and what came of it */
async function run(change: (example: string) => string = (example) => example) {
  const [, body] = change(EXAMPLE).split('"viem/accounts";\n') as [string, string];
  const asked: Request[] = [];
  const price = {
    x402Version: 2,
    resource: { url: "http://beckon.test/api/v1/credits/x402", description: "", mimeType: "application/json" },
    accepts: [
      { scheme: "exact", network: DIRECT.network, amount: "9990000", asset: DIRECT.asset, payTo: DIRECT.payTo },
    ],
  };
  const headers = { "PAYMENT-REQUIRED": Buffer.from(JSON.stringify(price)).toString("base64") };
  const web = async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init);
    asked.push(request);
    return request.headers.has("PAYMENT-SIGNATURE")
      ? new Response("bought", { status: 200 })
      : new Response("{}", { status: 402, headers });
  };
  class ExactEvmScheme {
    readonly scheme = "exact";
    async createPaymentPayload() {
      return { x402Version: 2, payload: { signature: "0x" } };
    }
  }
  const said: unknown[][] = [];
  const parts = {
    fetch: web,
    wrapFetchWithPayment,
    x402Client,
    ExactEvmScheme,
    privateKeyToAccount: () => ({}),
    process: { env: { BECKON_API_KEY: "bk_test_x" } },
    console: { log: (...words: unknown[]) => void said.push(words) },
  };
  const program = new Function(...Object.keys(parts), `return (async () => {${body}})();`);
  await program(...Object.values(parts));
  return { asked, said };
}

test("law: the code on the page buys a pack, and sends the credential with both calls", async () => {
  const { asked, said } = await run();
  expect(said).toEqual([[200, "bought"]]);
  expect(asked).toHaveLength(2);
  for (const request of asked) {
    expect([request.method, request.url]).toEqual(["POST", "http://beckon.test/api/v1/credits/x402"]);
    expect(request.headers.get("Authorization")).toBe("Bearer bk_test_x");
    expect(await request.json()).toEqual({ pack: "basic" });
  }
});

test("law: without the spend controls the code buys nothing, as the page says", async () => {
  const without = (example: string) => example.replace(/client\.setSpendControls\(\{[\s\S]*?\n\}\);\n/, "");
  await expect(run(without)).rejects.toThrow(/spendControls/);
});
