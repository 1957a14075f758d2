import { afterAll, expect, test } from "vitest";
import { NEGATIVE_PROMPTS, TEST_PROMPTS } from "../../scripts/listing/prompts.ts";
import { type Listing, readListing } from "../../scripts/listing/read-listing.ts";
import { RULES } from "../../scripts/listing/rules.ts";
import { submissionOf } from "../../scripts/listing/submission.ts";
import { operationOf } from "../../src/surfaces/mcp/tools.ts";
import { testService } from "../support/service/service.ts";

const service = await testService({ publishUrl: true, config: { openaiAppsChallenge: "token-of-the-portal" } });
afterAll(() => service.close());
const listing = await readListing(service.url);

/** What only whoever publishes the service can do. */
const OPERATORS = [
  "The server has a public https address, not a test address",
  "The name belongs to whoever publishes it",
];

test.each(RULES.map((rule) => [rule.directory, rule.asks, rule] as const))("law: %s: %s", (_, asks, rule) => {
  expect(rule.problems(listing)).toHaveLength(OPERATORS.includes(asks) ? 1 : 0);
});

test("law: what the operator does for it is seen", () => {
  const published: Listing = {
    ...listing,
    endpoint: "https://beckon.example.com/mcp?toolsets=jobs",
    registry: { ...listing.registry, name: "com.acme/beckon" },
    client: { ...listing.client, mcpName: "com.acme/beckon" },
  };
  expect(RULES.flatMap((rule) => rule.problems(published))).toEqual([]);
});

const GONE = { status: 404, type: "text/html", body: Buffer.from("Not found") };
const [first] = listing.tools;
const withTool = (change: object): Listing => ({
  ...listing,
  tools: [{ ...first!, ...change } as typeof first & object],
});
const without = (path: string): Listing => ({ ...listing, answers: { ...listing.answers, [path]: GONE } });

/** For each rule a listing that breaks it. */
const BROKEN: Readonly<Record<string, Listing>> = {
  "The server has a public https address, not a test address": { ...listing, endpoint: "https://127.0.0.1/mcp" },
  "A token proves that the host is yours": without("/.well-known/openai-apps-challenge"),
  "Each tool sets readOnlyHint, destructiveHint and openWorldHint": withTool({ annotations: { readOnlyHint: true } }),
  "Each tool describes what it answers (outputSchema)": withTool({ outputSchema: undefined }),
  "Views name what they load, as narrowly as they can": {
    ...listing,
    views: [{ uri: "ui://beckon/other.html", csp: { connectDomains: ["https://*.example.com"] } }],
  },
  "No tool asks for passwords, codes or numbers of cards": withTool({
    inputSchema: { type: "object", properties: { card_number: {} } },
  }),
  "A name, a subtitle of at most 30 characters, five prompts and three that must call nothing": withTool({
    name: "other",
  }),
  "A logo: a square PNG of 64 pixels or more, at most 1 MiB": without("icon"),
  "No credits or other digital goods are sold in a conversation": withTool({ name: "buy_credits" }),
  "Each tool has a title, and says whether it only reads, or destroys": withTool({
    annotations: { readOnlyHint: true, destructiveHint: true },
  }),
  "Names of tools have at most 64 characters": withTool({ name: "n".repeat(65) }),
  "No money or other asset is moved": withTool({ name: "pay_direct" }),
  "Sign-in is by OAuth, where there is one": without("/.well-known/oauth-authorization-server"),
  "Pages of privacy, terms and support are public": without("/privacy"),
  "`server.json` has a name in reversed DNS, one version, and at most 100 characters of description": {
    ...listing,
    registry: { ...listing.registry, version: "^1.0.0" },
  },
  "The name belongs to whoever publishes it": { ...listing, registry: { name: "com.example/beckon" } },
};

test.each(Object.entries(BROKEN))("law: a listing that breaks it is found: %s", (asks, broken) => {
  const rule = RULES.find((one) => one.asks === asks)!;
  expect(rule.problems(broken)).not.toEqual([]);
});

test("the form of OpenAI's directory: every listed tool with its hints and reasons, prompts by exact names", () => {
  const form = submissionOf(listing);
  expect(Object.keys(form.tools)).toEqual(listing.tools.map(({ name }) => name));
  for (const { annotations, justifications } of Object.values(form.tools)) {
    expect(Object.values(annotations).every((hint) => typeof hint === "boolean")).toBe(true);
    expect(Object.values(justifications).every((reason) => reason.endsWith("."))).toBe(true);
  }
  expect(form.test_cases.map(({ tools_triggered }) => tools_triggered)).toEqual(
    TEST_PROMPTS.map(({ tools }) => tools.join(", ")),
  );
  expect(form.negative_test_cases.map(({ tools_triggered }) => tools_triggered)).toEqual(
    NEGATIVE_PROMPTS.map(() => null),
  );
  expect(TEST_PROMPTS.flatMap(({ tools }) => tools).map((name) => operationOf(name)?.name)).not.toContain(undefined);
});
