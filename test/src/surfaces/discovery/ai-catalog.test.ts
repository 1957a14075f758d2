import { afterAll, expect, test } from "vitest";
import { aiCatalog } from "../../../../src/surfaces/discovery/ai-catalog.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());

interface Entry {
  readonly identifier: string;
  readonly displayName: string;
  readonly type: string;
  readonly mediaType: string;
  readonly url: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
const json = async (url: string): Promise<any> => (await fetch(url)).json();

/** What the specification asks of a catalog: a version, and entries with one place each for what they are. */
test("has the required fields of a catalog", () => {
  const { specVersion, host, entries } = aiCatalog({ siteUrl: "https://beckon.example" }) as {
    specVersion: string;
    host: { displayName: string };
    entries: readonly Entry[];
  };
  expect(specVersion).toMatch(/^\d+\.\d+$/);
  expect(host.displayName).toBe("Beckon");
  expect(entries.map(({ identifier }) => identifier)).toEqual([
    "urn:air:beckon.example:mcp:beckon",
    "urn:air:beckon.example:a2a:beckon",
  ]);
  for (const entry of entries) {
    expect(Object.keys(entry).sort()).toEqual(["displayName", "identifier", "mediaType", "type", "url"]);
    expect(entry.mediaType).toBe(entry.type);
    expect(entry.type).toMatch(/^application\/[\w-]+\+json$/);
  }
});

test("links to the two cards", async () => {
  const { entries } = await json(`${service.url}/.well-known/ai-catalog.json`);
  const [server, agent] = await Promise.all(entries.map(({ url }: Entry) => json(url)));
  expect(server.remotes[0].url).toBe(`${service.url}/mcp`);
  expect(agent.supportedInterfaces[0].url).toBe(`${service.url}/a2a`);
});
