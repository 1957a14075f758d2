import { accountsOf } from "../domain/accounts/list.ts";
import { iso } from "../platform/clock.ts";
import { formatCount } from "../platform/format.ts";
import { defineCommand } from "./command.ts";
import { countOf } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "account list",
  about: "List accounts, newest first: id, address, credits, and whether they are disabled",
  options: {
    disabled: { about: "Only disabled accounts" },
    limit: { value: "N", about: "How many accounts at most; default: 100" },
  },
  examples: ["account list", "account list --disabled --json"],
  run: async ({ disabled, limit }, { config }) => {
    const most = countOf("limit", limit ?? "100");
    return withInstance(config, async ({ db }) => {
      const { rows, hasMore } = await accountsOf(db, { isDisabled: disabled, limit: most });
      const data = rows.map((row) => ({
        id: row.id,
        email: row.email,
        name: row.name,
        credits: row.credits,
        created_at: iso(row.createdAt),
        disabled_at: iso(row.disabledAt),
        disabled_reason: row.disabledReason,
      }));
      const lines = rows.map(({ id, email, credits, createdAt, disabledAt }) =>
        [id, email, formatCount(credits, "credit"), iso(createdAt), ...(disabledAt === null ? [] : ["disabled"])].join(
          "  ",
        ),
      );
      const more = hasMore ? ["There are more: see --limit."] : [];
      const text = [...lines, ...more].join("\n") || "There are no such accounts.";
      return { data: { accounts: data, has_more: hasMore }, text };
    });
  },
});
