import { lastDayOf } from "../domain/credentials/key-end.ts";
import { createKey } from "../domain/credentials/keys.ts";
import { LIMIT_NAMES, MAX_LIMIT, parseLimit, type SpendingLimits, WIRE_NAMES } from "../domain/spending/limits.ts";
import { iso } from "../platform/clock.ts";
import { SCOPES } from "../platform/principal.ts";
import { defineCommand, UsageError } from "./command.ts";
import { lostKey } from "./lost-key.ts";
import { accountFinder, keyEndOf, nameOf, scopesOf, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "key create",
  about: "Create another API key for an account; it is shown once",
  options: {
    ...WHICH_ACCOUNT,
    name: { value: "N", about: "Name of the key", required: true },
    scopes: { value: "LIST", about: `What it may do, of ${SCOPES.join(",")}; default: all` },
    "per-call": { value: "N", about: "Most credits that one call may spend; default: no limit" },
    "per-day": { value: "N", about: "Most credits in a UTC day; default: no limit" },
    "per-month": { value: "N", about: "Most credits in a UTC month; default: no limit" },
    total: { value: "N", about: "Most credits in total; default: no limit" },
    "approve-above": {
      value: "N",
      about: "A call that costs more needs the approval of a person; default: none",
    },
    expires: { value: "DATE", about: "Its last day (UTC), as YYYY-MM-DD; default: none" },
  },
  examples: ["key create --email ann@example.com --name ci --scopes read,index --per-day 500 --expires 2027-01-31"],
  async run({ email, account, name, scopes, expires, ...wanted }, { config }) {
    const find = accountFinder({ email, account });
    const limits = limitsOf(wanted);
    const granted = scopes === undefined ? SCOPES : scopesOf(scopes);
    const named = nameOf("name", name);

    return withInstance(config, async ({ db, clock }) => {
      const { id } = await find(db);
      const now = clock.now();
      const expiresAt = expires === undefined ? null : keyEndOf(expires, now);
      const key = { accountId: id, name: named, scopes: granted, expiresAt, limits, mode: config.mode, now };
      const api_key = await db.tx((tx) => createKey(tx, key));
      const end = expiresAt === null ? "none" : `after ${lastDayOf(expiresAt)} (UTC)`;
      const text = [
        `API key   ${api_key}`,
        `Scopes    ${granted.join(", ")}`,
        `Limits    ${limitWords(limits)}`,
        `End       ${end}`,
        "The key is not shown again.",
      ].join("\n");
      const shown = Object.fromEntries(LIMIT_NAMES.map((name) => [WIRE_NAMES[name], limits[name]]));
      const data = { account_id: id, name: named, scopes: granted, limits: shown, expires_at: iso(expiresAt), api_key };
      return { data, text, ifUnwritten: lostKey(id) };
    });
  },
});

/** @throws UsageError for a limit that is no whole number */
function limitsOf(wanted: Readonly<Partial<Record<string, string>>>): SpendingLimits {
  const limit = (name: (typeof LIMIT_NAMES)[number]) => {
    const flag = flagOf(name);
    const parsed = parseLimit(wanted[flag] ?? "");
    if (parsed === undefined || (wanted[flag] !== undefined && parsed === null))
      throw new UsageError(`--${flag}: a whole number of credits, from 0 to ${MAX_LIMIT}.`);
    return parsed;
  };
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, limit(name)])) as unknown as SpendingLimits;
}

function limitWords(limits: SpendingLimits): string {
  const set = LIMIT_NAMES.filter((name) => limits[name] !== null);
  return set.length === 0 ? "none" : set.map((name) => `${flagOf(name)} ${limits[name]}`).join(", ");
}

function flagOf(name: (typeof LIMIT_NAMES)[number]): string {
  return WIRE_NAMES[name].replaceAll("_", "-");
}
