import { afterAll, describe, expect, test } from "vitest";
import { isOfferedBy, isOn } from "../../../../src/contract/operation.ts";
import { promptList } from "../../../../src/surfaces/mcp/prompts.ts";
import { operations } from "../../../../tools/index.ts";
import { message, modern, poster } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const post = poster(service.url);
const prompts = promptList(() => true);
const tools = operations.filter((one) => isOn(one, "mcp")).map(({ name }) => name);
const GIVEN: Record<string, string> = {
  site: "https://example.com",
  urls: "https://example.com/a",
  project_id: "prj_1",
};

async function textOf(name: string, given: Record<string, string>): Promise<string> {
  const { json } = await post(message("prompts/get", { name, arguments: given }));
  expect(json.result.messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
  return json.result.messages[0].content.text;
}

test.each([message, (method: string) => modern(message(method)).body])(
  "lists the jobs, without a credential",
  async (made) => {
    const body = made("prompts/list");
    const headers = "_meta" in body.params ? modern(message("prompts/list")).headers : {};
    const { json } = await post(body, { headers });
    expect(json.result.prompts).toEqual(prompts);
    expect(prompts.map(({ name }) => name)).toEqual(["index_site", "check_pages", "project_report", "top_up"]);
  },
);

test("a prompt whose tool is not offered is not listed", () => {
  const withoutCards = { ...service.config, cards: "none" as const };
  const names = promptList((one) => isOfferedBy(one, withoutCards)).map(({ name }) => name);
  expect(names).toEqual(["index_site", "check_pages", "project_report"]);
});

describe.each(prompts.map((prompt) => [prompt.name, prompt] as const))(
  "%s",
  (name, { arguments: taken = [], description }) => {
    const given = Object.fromEntries(taken.flatMap((one) => (GIVEN[one.name] ? [[one.name, GIVEN[one.name]!]] : [])));

    test("is short, names existing tools, and contains its arguments", async () => {
      const text = await textOf(name, given);
      expect(text.length).toBeLessThan(1_300);
      expect(description!.length).toBeLessThan(120);
      for (const value of Object.values(given)) expect(text).toContain(value);
      const named = text.match(/\b(?:get|list|submit|read|check|buy|estimate|cancel|add|pay)_[a-z]+\b/g)!;
      expect(named.length).toBeGreaterThan(1);
      for (const tool of named) expect(tools).toContain(tool);
      expect(text).not.toContain("undefined");
    });

    test("asks before anything is spent, and spends with a key", async () => {
      const text = await textOf(name, given);
      const spends = /\b(submit_sitemap|check_urls|buy_credits) with/.exec(text);
      if (name === "project_report") expect(text).toContain("Do not submit anything again unless I ask you to");
      else {
        expect(text).toMatch(/Ask me/);
        expect(text.indexOf("Ask me")).toBeLessThan(spends!.index);
        expect(text).toContain("idempotency_key");
      }
    });

    test("-32602: a required argument is missing or empty", async () => {
      for (const { name: argument, required } of taken) {
        const { json } = await post(message("prompts/get", { name, arguments: { ...given, [argument]: " " } }));
        if (required)
          expect(json.error).toMatchObject({ code: -32602, message: `The argument ${argument} is required.` });
        else expect(json.result.messages).toHaveLength(1);
      }
    });
  },
);

test("a chosen value is in the text", async () => {
  expect(await textOf("top_up", { pack: "pro" })).toContain("the pack pro");
  expect(await textOf("index_site", { site: "https://example.com", mode: "instant" })).toContain("mode: instant");
});

test("-32602: an unknown prompt", async () => {
  expect((await post(message("prompts/get", { name: "coffee" }))).json.error.code).toBe(-32602);
});
