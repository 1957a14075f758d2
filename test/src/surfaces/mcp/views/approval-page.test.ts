import { describe, expect, test } from "vitest";
import { APPROVAL_PAGE } from "../../../../../src/surfaces/mcp/views/approval-page.ts";
import { answer, viewHost } from "../../../../support/mcp/view-host.ts";

const open = await viewHost();

const ADDRESS = "https://beckon.example/dashboard/approvals/apr_0123456789abcdefghjk";
const refusal = (fields: object) => ({
  isError: true,
  content: [
    { type: "text", text: JSON.stringify({ error: { code: "approval_required", message: "Wait.", ...fields } }) },
  ],
});
const waiting = refusal({ needed: 250, approval_url: ADDRESS, expires_at: "2026-01-22T12:00:00.000Z" });

describe.each(["light", "dark"] as const)("%s", (theme) => {
  test("shows what waits, and opens the page that decides: nothing else is asked of the host", async () => {
    const capabilities = { openLinks: {}, serverTools: {} };
    const { host, view, tell, seen } = await open(APPROVAL_PAGE, { capabilities, context: { theme } });
    await tell("sendToolResult", waiting);
    await view.getByRole("heading", { name: "This call waits for your approval" }).waitFor();
    await view.getByText("It costs 250 credits, more than this program may spend by itself.").waitFor();
    await view.getByText("The question ends on 2026-01-22.").waitFor();
    expect(await view.getByRole("button").allInnerTexts()).toEqual(["Look at it and decide"]);
    await view.getByRole("button").click();
    await expect.poll(async () => (await seen()).links).toEqual([ADDRESS]);
    expect((await seen()).calls).toEqual([]);
    if (process.env.SCREENSHOTS)
      await host.screenshot({ path: `${process.env.SCREENSHOTS}/mcp-approval-${theme}.png` });
  });
});

test("a host that opens no links gets the address as text", async () => {
  const { view, tell } = await open(APPROVAL_PAGE, { capabilities: {} });
  await tell("sendToolResult", waiting);
  await view.getByText(ADDRESS).waitFor();
  expect(await view.getByRole("button").count()).toBe(0);
});

test("of a call that may never be made alone, and of one too many, it says why", async () => {
  const { view, tell } = await open(APPROVAL_PAGE);
  await tell("sendToolResult", refusal({ needed: 0, approval_url: ADDRESS, expires_at: null }));
  await view.getByText("This program may not do it by itself.").waitFor();
  await view.getByText("Other calls wait already").waitFor();
});

test("a call that was made, and another refusal, are said in a line", async () => {
  const { view, tell } = await open(APPROVAL_PAGE);
  const project = { object: "project", name: "Spring" };
  await tell("sendToolResult", answer({ project, urls_accepted: 3, credits_spent: 3 }));
  await view.getByText("Spring: 3 URLs, 3 credits.").waitFor();
  await tell("sendToolResult", refusal({ code: "insufficient_credits", message: "Too few credits." }));
  await view.getByText("Too few credits.").waitFor();
  expect(await view.getByRole("button").count()).toBe(0);
});
