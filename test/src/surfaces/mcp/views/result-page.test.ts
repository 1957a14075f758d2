import { describe, expect, test } from "vitest";
import { RESULT_PAGE } from "../../../../../src/surfaces/mcp/views/result-page.ts";
import { answer, viewHost } from "../../../../support/mcp/view-host.ts";

/** `SCREENSHOTS=folder npx vitest run test/src/surfaces/mcp/views` also leaves pictures there. */
const open = await viewHost();

const project = {
  object: "project",
  id: "prj_b27wefbrxdw13",
  kind: "index",
  name: "Winter catalogue <b>2026</b>",
  mode: "standard",
  engines: { google: true, bing: true, yandex: true },
  drip_days: 0,
  status: "completed",
  counts: { total: 200, waiting: 0, checking: 0, indexed: 157, not_indexed: 40, failed: 3 },
  index_rate: 79.7,
  credits_spent: 200,
  credits_returned: 43,
  created_at: "2026-01-05T12:00:00.000Z",
  completed_at: "2026-01-19T12:00:00.000Z",
  dashboard_url: "https://beckon.example/dashboard/projects/prj_b27wefbrxdw13",
};
const group = (status: string, reason: string, count: number, words: string, next_step = "") => ({
  ...{ status, reason, words, by: "beckon", count, links: [], next_step },
});
const report = {
  project_id: project.id,
  groups: [
    group("indexed", "indexed", 153, "In Google."),
    group("not_indexed", "noindex", 30, "The page says <noindex>.", "Take it out, then resubmit."),
    group("not_indexed", "no_match", 8, "Google does not have it.", "Link to it."),
    group("gone", "dropped", 4, "It was there, and is not any more.", "Look at it."),
    group("unknown", "unknown", 2, "Nobody could find out."),
    group("failed", "http_404", 3, "The page answered 404.", "Publish it."),
  ],
  found_by_day: [
    { day: 1, count: 40 },
    { day: 4, count: 75 },
    { day: 9, count: 42 },
  ],
  median_days: 3.2,
};
const withReport = { capabilities: { openLinks: {}, serverTools: {} }, tools: { get_report: answer(report) } };

describe.each(["light", "dark"] as const)("%s", (theme) => {
  test("shows the result, the days, the reasons and what to do, in the colours of the client", async () => {
    const other = theme === "light" ? "dark" : "light";
    const { host, view, tell, seen } = await open(
      RESULT_PAGE,
      { ...withReport, context: { theme } },
      { colorScheme: other },
    );
    await tell("sendToolResult", answer(project));
    await view.getByText("153 of 200 in Google · 115 by day 4 · 4 gone · 43 credits back").waitFor();
    await view.getByRole("heading", { name: "Winter catalogue <b>2026</b>" }).waitFor();
    const bar = view.getByRole("img", {
      name: "In Google: 153, Gone: 4, Not in Google: 38, Unknown: 2, Not sent: 3",
    });
    const widths = await bar
      .locator("i")
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    expect(widths[0]! / widths[2]!).toBeCloseTo(153 / 38, 1);
    const texts = async (selector: string) =>
      (await view.locator(selector).allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
    expect(await texts("#days > li")).toEqual(["Day 1 40", "Day 4 75", "Day 9 42"]);
    expect(await texts("#reasons > li")).toEqual([
      "The page says <noindex>. 30 URLs Take it out, then resubmit.",
      "Google does not have it. 8 URLs Link to it.",
      "It was there, and is not any more. 4 URLs Look at it.",
      "The page answered 404. 3 URLs Publish it.",
    ]);
    expect((await seen()).calls).toEqual([{ name: "get_report", arguments: { project_id: project.id, rows: 100 } }]);
    const ground = await view.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(theme === "light" ? "rgb(255, 255, 255)" : "rgb(22, 25, 31)");
    if (process.env.SCREENSHOTS) await host.screenshot({ path: `${process.env.SCREENSHOTS}/mcp-project-${theme}.png` });
  });
});

test.each([
  ["does not let it call tools", { openLinks: {} }],
  ["refuses the call", { openLinks: {}, serverTools: {} }],
])("a host that %s shows what the project alone says", async (_, capabilities) => {
  const { view, tell } = await open(RESULT_PAGE, { capabilities });
  await tell("sendToolResult", answer(project));
  await view.getByText("157 of 200 in Google · 43 credits back").waitFor();
  const rows = await view.locator("dl > div").allInnerTexts();
  expect(rows.map((row) => row.replace(/\s+/g, " "))).toEqual(["In Google 157", "Not in Google 40", "Not sent 3"]);
  expect(
    await view.locator("#found, #why").evaluateAll((parts) => parts.every((part) => (part as HTMLElement).hidden)),
  ).toBe(true);
});

test("before the first look, and of a check, it says so", async () => {
  const { view, tell } = await open(RESULT_PAGE);
  const none = { ...project.counts, waiting: 199, checking: 0, indexed: 0, not_indexed: 0, failed: 1 };
  const fresh = { ...project, status: "active", counts: none, credits_returned: 1 };
  await tell("sendToolResult", answer(fresh));
  await view.getByText("200 URLs submitted · not looked up in Google yet · 1 credit back").waitFor();
  await tell("sendToolResult", answer({ ...fresh, kind: "check", mode: null, credits_returned: 0 }));
  await view.getByText("200 URLs to look up · not looked up in Google yet").waitFor();
  await view.getByText("Not looked up", { exact: true }).waitFor();
});

test("nothing is cut off on a phone", async () => {
  const { view, tell } = await open(RESULT_PAGE, withReport, { viewport: { width: 340, height: 460 } });
  await tell("sendToolResult", answer({ ...project, name: "averylongname".repeat(9) }));
  await view.getByText("115 by day 4").waitFor();
  expect(await view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
});

test("follows the MCP Apps protocol: initialises, reports its size, answers requests", async () => {
  const { view, tell, seen } = await open(RESULT_PAGE);
  expect((await seen()).app).toMatchObject({ name: "beckon-project" });
  await tell("sendToolResult", answer(project));
  await view.getByRole("heading").first().waitFor();
  const tall = await view.evaluate("Math.ceil(document.body.getBoundingClientRect().height)");
  await expect.poll(async () => (await seen()).sizes.map(({ height }) => height)).toContain(tall);
  expect(await tell("teardownResource", {})).toEqual({});
});

test("uses the colours of the client, and follows their change", async () => {
  const colours = (colour: string) => ({ styles: { variables: { "--color-background-primary": colour } } });
  const { view, tell } = await open(RESULT_PAGE, { context: colours("rgb(1, 2, 3)") });
  const ground = () => view.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(await ground()).toBe("rgb(1, 2, 3)");
  await tell("setHostContext", colours("rgb(4, 5, 6)"));
  await expect.poll(ground).toBe("rgb(4, 5, 6)");
});

test("asks the client to open the dashboard, if the client can", async () => {
  const { view, tell, seen } = await open(RESULT_PAGE);
  await tell("sendToolResult", answer(project));
  await view.getByRole("button", { name: "Open in the dashboard" }).click();
  await expect.poll(async () => (await seen()).links).toEqual([project.dashboard_url]);
  const without = await open(RESULT_PAGE, { capabilities: {} });
  await without.tell("sendToolResult", answer(project));
  await without.view.getByRole("heading").first().waitFor();
  expect(await without.view.getByRole("button").count()).toBe(0);
});

test("says so if the answer is a refusal, or the call was cancelled", async () => {
  const { view, tell } = await open(RESULT_PAGE);
  await tell("sendToolResult", { isError: true, content: [{ type: "text", text: "{}" }] });
  await view.getByText("This project could not be read. The answer says why.").waitFor();
  await tell("sendToolResult", answer(project));
  await view.getByRole("heading").first().waitFor();
  await tell("sendToolCancelled", {});
  await view.getByText("The call was cancelled.").waitFor();
  expect(await view.getByRole("heading").first().isVisible()).toBe(false);
});
