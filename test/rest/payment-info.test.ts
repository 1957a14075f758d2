import { discoverOriginSchema, getOpenAPI, getWarningsForOpenAPI } from "@agentcash/discovery";
import { Ajv2020 } from "ajv/dist/2020.js";
import { validate } from "mppx/discovery";
import { expect, test } from "vitest";
import { openApiDocument } from "../../rest/openapi.ts";
import { EVERYTHING } from "../../scripts/snapshots.ts";
import { offersOf } from "../../src/contract/operation.ts";
import { operations } from "../../tools/index.ts";
import { DIRECT, FakeDirectPayments } from "../support/payments/fake-direct-payments.ts";
import { testService } from "../support/service/service.ts";

interface Entry {
  readonly operationId: string;
  readonly responses: Record<string, { headers?: object; content?: object }>;
  readonly parameters: { name: string; in: string }[];
  readonly "x-payment-info"?: object;
}

function entriesOf(config: typeof EVERYTHING): Map<string, Entry> {
  const paths = Object.values(openApiDocument(config).paths) as Record<string, Entry>[];
  return new Map(paths.flatMap((path) => Object.values(path)).map((one) => [one.operationId, one]));
}

const everything = entriesOf(EVERYTHING);
const TOKEN = EVERYTHING.direct!.asset;
const NO_DIRECT = { ...EVERYTHING, direct: undefined };
const NOTHING_SOLD = { ...NO_DIRECT, cards: "none" } as const;

const digits = { type: "string", pattern: "^(0|[1-9][0-9]*)$" };
const dollars = { type: "string", pattern: "^(0|[1-9][0-9]*)\\.[0-9]{2}$" };

function strict(properties: Record<string, object>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** Both dialects at once, stricter than the validators of either, which let an offer without method and intent pass. */
const PAYMENT_INFO = strict({
  offers: {
    type: "array",
    minItems: 1,
    items: strict({
      intent: { const: "charge" },
      method: { enum: ["stripe", "evm"] },
      amount: { anyOf: [digits, { type: "null" }] },
      currency: { type: "string", pattern: "^(usd|0x[0-9a-fA-F]{40})$" },
      description: { type: "string", minLength: 10, maxLength: 200 },
    }),
  },
  price: strict({ mode: { const: "dynamic" }, currency: { const: "USD" }, min: dollars, max: dollars }, ["min", "max"]),
  protocols: {
    type: "array",
    items: {
      oneOf: [
        strict({ x402: { type: "object", maxProperties: 0 } }),
        strict({ mpp: strict({ method: { const: "evm" }, intent: { const: "charge" }, currency: { const: TOKEN } }) }),
      ],
    },
  },
});
const isPaymentInfo = new Ajv2020().compile(PAYMENT_INFO);

const costly = operations.filter((operation) => offersOf(operation, EVERYTHING).length > 0).map(({ name }) => name);

test("law: exactly these operations cost money", () => {
  const spending = ["check_urls", "resubmit", "run_watch", "submit_sitemap", "submit_urls"];
  expect([...costly].sort()).toEqual(["buy_credits", "pay_direct", ...spending].sort());
});

test.each([...everything.values()])(
  "$operationId: states its cost if it can answer 402, and no other does",
  (entry) => {
    const info = entry["x-payment-info"];
    // A user pays for buy_credits on another page: the call itself is never answered by 402.
    expect(info !== undefined).toBe(costly.includes(entry.operationId) && entry.operationId !== "buy_credits");
    if (!info) return;
    expect(isPaymentInfo(info), JSON.stringify(isPaymentInfo.errors)).toBe(true);
    expect(entry.responses).toHaveProperty("402");
  },
);

const sold = [
  ["150 credits (pack basic)", "999", "9990000"],
  ["500 credits (pack pro)", "2999", "29990000"],
  ["1100 credits (pack premium)", "5999", "59990000"],
  ["3000 credits (pack agency)", "14999", "149990000"],
] as const;

test("pay_direct: lists the packs in base units of the token, and both payment protocols", () => {
  const charge = { intent: "charge", method: "evm", currency: TOKEN };
  expect(everything.get("pay_direct")!["x-payment-info"]).toEqual({
    offers: sold.map(([description, , amount]) => ({ ...charge, amount, description })),
    price: { mode: "dynamic", currency: "USD", min: "9.99", max: "149.99" },
    protocols: [{ x402: {} }, { mpp: charge }],
  });
});

test("buy_credits: declares no 402, since a user pays on another page; its packs are offered in cents", () => {
  const charge = { intent: "charge", method: "stripe", currency: "usd" };
  expect(everything.get("buy_credits")!.responses).not.toHaveProperty("402");
  const buyCredits = operations.find(({ name }) => name === "buy_credits")!;
  expect(offersOf(buyCredits, EVERYTHING)).toEqual(
    sold.map(([description, amount]) => ({ ...charge, amount, description })),
  );
});

test("an operation that costs credits says where to buy them, and that it takes no payment itself", () => {
  for (const name of ["submit_urls", "submit_sitemap", "check_urls"]) {
    const { offers, protocols } = everything.get(name)!["x-payment-info"] as { offers: object[]; protocols: object[] };
    const description = "Paid with prepaid credits. Buy them with POST /checkout or POST /credits/x402.";
    expect(offers).toMatchObject([
      { method: "stripe", amount: null, description },
      { method: "evm", amount: null, description },
    ]);
    expect(protocols).toEqual([]);
    expect(JSON.stringify(everything.get(name)!.responses)).not.toContain("PAYMENT-REQUIRED");
  }
});

test("the headers of direct payment are declared where they are used", () => {
  const { parameters, responses } = everything.get("pay_direct")!;
  expect(parameters.filter((one) => one.in === "header").map(({ name }) => name)).toEqual([
    "PAYMENT-SIGNATURE",
    "Payment-Authorization",
  ]);
  expect(Object.keys(responses[200]!.headers!)).toEqual(
    expect.arrayContaining(["PAYMENT-RESPONSE", "Payment-Receipt", "Idempotent-Replayed"]),
  );
  const { responses: price } = everything.get("get_direct_price")!;
  for (const refusal of [responses[402]!, price[402]!]) {
    expect(Object.keys(refusal.headers!)).toEqual(expect.arrayContaining(["PAYMENT-REQUIRED", "WWW-Authenticate"]));
  }
  expect(price).not.toHaveProperty("200");
});

test("without direct payment, the document does not mention it", () => {
  const { paths } = openApiDocument(NO_DIRECT);
  // An order may be of a time when it was taken.
  const words = JSON.stringify(paths).match(/evm|x402|stablecoin|payment-\w+|0x[0-9a-f]{40}/gi);
  expect([...new Set(words)]).toEqual(["payment-info"]);
});

test("a deployment that sells nothing publishes no price", () => {
  const entries = [...entriesOf(NOTHING_SOLD).values()];
  expect(entries.filter((entry) => entry["x-payment-info"]).map(({ operationId }) => operationId)).toEqual([]);
});

test("the links in x-service-info lead to pages that exist", async () => {
  const service = await testService({ publishUrl: true });
  const { "x-service-info": info } = openApiDocument(service.config);
  expect(info.categories.length).toBeLessThanOrEqual(5);
  for (const address of Object.values(info.docs))
    expect([address, (await fetch(address)).status]).toEqual([address, 200]);
  await service.close();
});

test.each([
  ["with everything", EVERYTHING],
  ["without direct payment", NO_DIRECT],
  ["where nothing is sold", NOTHING_SOLD],
] as const)("mppx validates it without an error, %s", (_, config) => {
  expect(validate(JSON.parse(JSON.stringify(openApiDocument(config))))).toEqual([]);
});

test("AgentCash finds what a running service sells, without a warning", async () => {
  const direct = new FakeDirectPayments();
  const parts = { config: { direct: DIRECT }, payments: { cards: null, direct }, publishUrl: true };
  const service = await testService(parts);
  const found = await discoverOriginSchema({ target: service.url });
  if (!found.found) throw new Error("nothing was found");
  const { endpoints } = found;
  expect(endpoints.find(({ path, method }) => path.endsWith("/credits/x402") && method === "POST")).toMatchObject({
    authMode: "apiKey+paid",
    price: expect.stringContaining("9.99"),
    protocols: ["x402", "mpp"],
  });
  const openApi = await getOpenAPI(service.url);
  const warnings = getWarningsForOpenAPI(openApi._unsafeUnwrap());
  expect(warnings.filter(({ severity }) => severity !== "info")).toEqual([]);
  await service.close();
});
