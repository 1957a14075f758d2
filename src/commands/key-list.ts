import { callsOfKeys, USAGE_DAYS } from "../domain/calls/key-usage.ts";
import { lastDayOf } from "../domain/credentials/key-end.ts";
import { hasEnded, type KeyRow, keysOf, keyTitle } from "../domain/credentials/keys.ts";
import { scopesIn } from "../domain/credentials/scopes.ts";
import { iso } from "../platform/clock.ts";
import { formatCount } from "../platform/format.ts";
import { defineCommand } from "./command.ts";
import { accountFinder, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "key list",
  about: "List the API keys of an account that are not revoked: what they may do, their end, their use",
  options: WHICH_ACCOUNT,
  examples: ["key list --email ann@example.com"],
  run: async ({ email, account }, { config }) => {
    const find = accountFinder({ email, account });
    return withInstance(config, async ({ db, clock }) => {
      const { id } = await find(db);
      const now = clock.now();
      const [keys, calls] = await Promise.all([keysOf(db, id), callsOfKeys(db, id, now)]);
      const used = (key: KeyRow) => calls.get(key.id) ?? 0;
      const data = keys.map((key) => ({
        id: key.id,
        name: key.name,
        ending: key.ending,
        scopes: scopesIn(key.scopes),
        created_at: iso(key.createdAt),
        last_used_at: iso(key.lastUsedAt),
        expires_at: iso(key.expiresAt),
        has_ended: hasEnded(key, now),
        calls_in_30_days: used(key),
      }));
      const lines = keys.map((key) =>
        [
          key.id,
          keyTitle(key),
          scopesIn(key.scopes).join(","),
          endOf(key, now),
          `${formatCount(used(key), "call")} in ${USAGE_DAYS} days`,
        ].join("  "),
      );
      return { data: { account_id: id, keys: data }, text: lines.join("\n") || "The account has no keys." };
    });
  },
});

function endOf(key: KeyRow, now: number): string {
  if (key.expiresAt === null) return "no end";
  return `${hasEnded(key, now) ? "ended" : "ends"} after ${lastDayOf(key.expiresAt)}`;
}
