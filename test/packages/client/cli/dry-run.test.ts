import { afterAll, beforeAll, expect, test } from "vitest";
import { client, userOf } from "../../../support/client/beckon-client.ts";
import { endedProject } from "../../../support/service/ended-project.ts";
import { type TestService, testService } from "../../../support/service/service.ts";
import { SURFACES } from "../../../support/service/surface-client.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

const URLS = ["https://example.com/1", "https://example.com/2"];

/** A sitemap of two pages. */
function sitemap(): string {
  const pages = URLS.map((url) => `<url><loc>${url}</loc></url>`).join("");
  const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages}</urlset>`;
  return service.site.serve("/map.xml", xml);
}

/** A project of two URLs that are not in Google, and the environment of its owner, who has some credits left. */
async function ended(left: number) {
  const { key } = await service.account({ credits: left + 2 });
  const rest = SURFACES.REST!(service);
  const id = await endedProject(rest, key, service.db);
  await rest.close();
  return { env: userOf(service.url, key), id };
}

const KINDS: Readonly<Record<string, (project: string) => string[]>> = {
  "submit URLs": () => ["submit", ...URLS],
  "submit --sitemap": () => ["submit", "--sitemap", sitemap()],
  resubmit: (project) => ["resubmit", project],
};

test.each(Object.keys(KINDS))(
  "exit 0 %s --dry-run: says whether the balance is too low, and spends nothing",
  async (kind) => {
    const short = "Not enough credits: this costs 2, and the balance is 1. Buy more: beckon credits --buy PACK\n";
    const poor = await ended(1);
    const args = [...KINDS[kind]!(poor.id), "--dry-run"];
    const told = await client(poor.env, [...args, "--text"]);
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(/credits +2\nbalance +1\n\nNot enough credits/)]);
    expect(told.out.endsWith(short)).toBe(true);
    expect((await client(poor.env, args)).json()).toMatchObject({ credits: 2, balance: 1, enough: false });
    const rich = await ended(2);
    const { out } = await client(rich.env, [...KINDS[kind]!(rich.id), "--dry-run", "--text"]);
    expect(out).toMatch(/credits +2\nbalance +2\n$/);
  },
);
