import { expect, test } from "vitest";
import { VIEWS } from "../../../../../src/surfaces/mcp/views/views.ts";
import { operations } from "../../../../../tools/index.ts";

test.each(VIEWS)("$uri runs only its own script, and makes no network requests", ({ page, tools }) => {
  const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page)!;
  expect(policy).toMatch(
    /^default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'$/,
  );
  expect(page).not.toMatch(/https?:\/\/|innerHTML|eval\(|fetch\(/);
  for (const name of tools) expect(operations.map((operation) => operation.name)).toContain(name);
});
