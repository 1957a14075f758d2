import { AgentCard as SdkCard } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { afterAll, expect, test } from "vitest";
import { agentCard } from "../../../a2a/card/card.ts";
import { agentCards } from "../../../a2a/card/variants.ts";
import { skillsOf } from "../../../a2a/skills.ts";
import { EVERYTHING } from "../../../scripts/snapshots.ts";
import { SCOPES } from "../../../src/platform/principal.ts";
import { version } from "../../../src/platform/version.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());

const CARD = "/.well-known/agent-card.json";
const everything = agentCard(EVERYTHING);

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
async function got(headers: Record<string, string> = {}, path = CARD): Promise<any> {
  const response = await fetch(service.url + path, { headers });
  expect(response.status).toBe(200);
  return response.json();
}

test("1.0: the SDK reads and writes the card without loss", () => {
  const card = JSON.parse(JSON.stringify(everything));
  expect(SdkCard.toJSON(SdkCard.fromJSON(card))).toEqual(card);
  const kinds = SdkCard.fromJSON(card).securitySchemes;
  expect(Object.values(kinds).map(({ scheme }) => scheme?.$case)).toEqual([
    "httpAuthSecurityScheme",
    "apiKeySecurityScheme",
    "oauth2SecurityScheme",
  ]);
});

test("1.0: has every member that the protocol requires, and none of 0.3", async () => {
  const card = await got({ "A2A-Version": "1.0" });
  for (const name of ["name", "description", "version"]) expect(card[name]).toMatch(/\S/);
  for (const name of ["supportedInterfaces", "defaultInputModes", "defaultOutputModes", "skills"])
    expect(card[name].length).toBeGreaterThan(0);
  for (const skill of card.skills) {
    expect([skill.id, skill.name, skill.description].every((text) => text.length > 0)).toBe(true);
    expect(skill.tags.length).toBeGreaterThan(0);
  }
  for (const name of ["url", "protocolVersion", "preferredTransport", "security"])
    expect(card).not.toHaveProperty(name);
  expect(card.capabilities).toEqual({ streaming: true, pushNotifications: true, extendedAgentCard: false });
  expect(card.version).toBe(version);
});

test("1.0: the SDK's client finds the card at the origin, and its interfaces in order", async () => {
  const card = await new DefaultAgentCardResolver().resolve(service.url);
  const url = `${service.url}/a2a`;
  expect(card.supportedInterfaces).toMatchObject([
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ]);
  expect(card.provider).toEqual({ organization: new URL(service.url).host, url: service.url });
  expect(card.securitySchemes.oauth2?.scheme?.$case).toBe("oauth2SecurityScheme");
});

test("1.0: the card has the sign-in addresses of the authorization server", async () => {
  const { flows, oauth2MetadataUrl } = (await got({ "A2A-Version": "1.0" })).securitySchemes.oauth2
    .oauth2SecurityScheme;
  expect(oauth2MetadataUrl).toMatch(/\/\.well-known\/oauth-authorization-server$/);
  const metadata = await got({}, new URL(oauth2MetadataUrl).pathname);
  expect(flows.authorizationCode).toMatchObject({
    authorizationUrl: metadata.authorization_endpoint,
    tokenUrl: metadata.token_endpoint,
    refreshUrl: metadata.token_endpoint,
    pkceRequired: true,
  });
  // `offline_access` grants nothing that every sign-in does not.
  expect([...Object.keys(flows.authorizationCode.scopes), "offline_access"]).toEqual(metadata.scopes_supported);
});

test.each(skillsOf(EVERYTHING))("skill $id: says how to call it, and what credential it needs", (skill) => {
  const { examples, securityRequirements } = everything.skills.find(({ id }) => id === skill.id)!;
  expect(JSON.parse(examples.at(-1)!)).toEqual({ skill: skill.id, input: skill.example });
  expect(examples).toHaveLength(skill.commands.length + 1);
  for (const line of examples.slice(0, -1)) {
    expect(line).not.toMatch(/[{}]|undefined/);
    const words = line.split(" ");
    expect(words[0]).toBe(skill.commands.find((command) => command.startsWith(words[0]!))?.split(" ")[0]);
  }
  if (skill.operation?.access.kind === "public") expect(securityRequirements).toEqual([{}]);
  else {
    const names = securityRequirements.map(({ schemes }) => Object.keys(schemes!)[0]);
    expect(names).toEqual(["bearer", "apiKey", "oauth2"]);
    expect(securityRequirements[2]!.schemes!.oauth2).toEqual(skill.scopes.length > 0 ? { list: skill.scopes } : {});
    for (const scope of skill.scopes) expect(SCOPES).toContain(scope);
  }
});

test("a text command of the card has the example's values in its fields", () => {
  const { examples } = everything.skills.find(({ id }) => id === "watch_project")!;
  expect(examples[0]).toBe("watch prj_0123456789abc");
});

test("x402 is declared under both of its URIs if direct payment is enabled, and is not required", async () => {
  const { extensions } = everything.capabilities;
  expect(extensions?.map(({ uri }) => uri)).toEqual([
    "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2",
    "https://github.com/google-a2a/a2a-x402/v0.1",
  ]);
  expect(JSON.stringify(extensions)).not.toContain("required");
  expect((await got()).capabilities).not.toHaveProperty("extensions");
});

test("0.3: a client of that version gets its own form", async () => {
  const card = await got({ "A2A-Version": "0.3" });
  const url = `${service.url}/a2a`;
  expect(card).toMatchObject({
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    security: [{ bearer: [] }, { apiKey: [] }, { oauth2: [] }],
    securitySchemes: {
      bearer: { type: "http", scheme: "Bearer" },
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      oauth2: { type: "oauth2", flows: { authorizationCode: { tokenUrl: `${service.url}/oauth/token` } } },
    },
  });
  for (const name of ["supportedInterfaces", "securityRequirements"]) expect(card).not.toHaveProperty(name);
  expect(card.skills.find(({ id }: { id: string }) => id === "get_pricing").security).toEqual([{}]);
  expect(card.skills.find(({ id }: { id: string }) => id === "submit_urls").security).toContainEqual({
    oauth2: ["index"],
  });
});

test("0.3: the SDK reads it as an agent of that version", async () => {
  const fetchImpl: typeof fetch = (input) => fetch(input, { headers: { "A2A-Version": "0.3" } });
  const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat: { enabled: true } });
  const card = await resolver.resolve(service.url);
  expect(card.supportedInterfaces[0]).toMatchObject({ url: `${service.url}/a2a`, protocolBinding: "JSONRPC" });
  expect(card.skills.length).toBe((await got({ "A2A-Version": "1.0" })).skills.length);
});

test.each(["/.well-known/agent-card.json", "/.well-known/agent.json"])(
  "without a version: %s has the members of both versions unchanged",
  async (path) => {
    const [both, current, legacy] = [
      await got({}, path),
      await got({ "A2A-Version": "1.0" }),
      await got({ "A2A-Version": "0.3" }),
    ];
    expect(both).toMatchObject(current);
    expect(both).toMatchObject({ url: legacy.url, protocolVersion: "0.3.0", preferredTransport: "JSONRPC" });
    expect(both.securitySchemes).toMatchObject(legacy.securitySchemes);
    expect(both.security).toEqual(legacy.security);
    expect(both.skills).toMatchObject(legacy.skills);
    expect(SdkCard.toJSON(SdkCard.fromJSON(both))).toEqual(current);
  },
);

test.each([
  ["1.0", "supportedInterfaces"],
  ["1.0.1", "supportedInterfaces"],
  ["2.0", "supportedInterfaces"],
  ["0.3", "preferredTransport"],
  ["0.3.0", "preferredTransport"],
  ["0.2.6", "preferredTransport"],
])("a request of version %s gets the card with %s", (asked, member) => {
  expect(agentCards(EVERYTHING)(asked)).toHaveProperty(member);
});

test("each form has its own ETag, and is cached separately", async () => {
  const tags = new Set<string | null>();
  for (const headers of [{}, { "A2A-Version": "1.0" }, { "A2A-Version": "0.3" }] as Record<string, string>[]) {
    const response = await fetch(service.url + CARD, { headers });
    await response.text();
    expect(response.headers.get("vary")?.split(", ")).toContain("A2A-Version");
    tags.add(response.headers.get("etag"));
  }
  expect(tags.size).toBe(3);
});
