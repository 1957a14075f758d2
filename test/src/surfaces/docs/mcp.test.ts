import { afterAll, expect, test } from "vitest";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { message, poster } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const post = poster(service.url);
const { markdown } = documentsOf(service.config).find(({ path }) => path === "/docs/mcp")!;

test.each([
  ["tools/list", "tools", "name"],
  ["prompts/list", "prompts", "name"],
  ["resources/templates/list", "resourceTemplates", "uriTemplate"],
])("law: everything that %s lists is on /docs/mcp", async (method, list, field) => {
  const { key } = await service.account();
  const { json } = await post(message(method), { key });
  const names: string[] = json.result[list].map((one: Record<string, string>) => one[field]);
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(markdown).toContain(`\`${name}\``);
});

test("law: the fixed resources of resources/list are on /docs/mcp", async () => {
  const { key } = await service.account();
  const { json } = await post(message("resources/list"), { key });
  const uris: string[] = json.result.resources.map(({ uri }: { uri: string }) => uri);
  for (const uri of uris.filter((one) => one.startsWith("beckon://"))) expect(markdown).toContain(`\`${uri}\``);
});

test("law: every prompt on /docs/mcp is listed", async () => {
  const { json } = await post(message("prompts/list"));
  const listed = json.result.prompts.map(({ name }: { name: string }) => `\`${name}\``);
  const section = markdown.split("## Resources and prompts")[1]!.split("\n## ")[0]!;
  const shown = [...section.matchAll(/^\| (`\w+`) \|/gm)].map(([, name]) => name);
  expect(shown).toEqual(listed);
});
