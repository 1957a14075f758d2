import { expect, test } from "vitest";
import { VIEWS, viewMeta } from "../../../../../src/surfaces/mcp/views/views.ts";
import { operations } from "../../../../../tools/index.ts";

test.each(VIEWS)("$uri runs only its own script, and makes no network requests", ({ page, shows }) => {
  const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page)!;
  expect(policy).toMatch(
    /^default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'$/,
  );
  expect(page).not.toMatch(/https?:\/\/|innerHTML|eval\(|fetch\(/);
  expect(operations.filter(shows)).not.toEqual([]);
});

test("law: what a person may have to approve shows that it waits", () => {
  const shown = operations.filter((operation) => JSON.stringify(viewMeta(operation)).includes("approval.html"));
  const names = shown.map(({ name }) => name).sort();
  expect(names).toEqual(["check_urls", "delete_share", "resubmit", "share_results", "submit_sitemap", "submit_urls"]);
});
