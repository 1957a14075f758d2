import { lastDayOf } from "../domain/accounts/key-end.ts";
import { createKey } from "../domain/accounts/keys.ts";
import { iso } from "../platform/clock.ts";
import { SCOPES } from "../platform/principal.ts";
import { defineCommand } from "./command.ts";
import { accountNamed, keyEndOf, nameOf, scopesOf, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "key create",
  about: "Create another API key for an account; it is shown once",
  options: {
    ...WHICH_ACCOUNT,
    name: { value: "N", about: "Name of the key", required: true },
    scopes: { value: "LIST", about: `What it may do, of ${SCOPES.join(",")}; default: all` },
    expires: { value: "DATE", about: "Its last day (UTC), as YYYY-MM-DD; default: none" },
  },
  async run({ email, account, name, scopes, expires }, { config }) {
    const granted = scopes === undefined ? SCOPES : scopesOf(scopes);
    const named = nameOf("name", name);

    return withInstance(config, async ({ db, clock }) => {
      const { id } = await accountNamed(db, { email, account });
      const now = clock.now();
      const expiresAt = expires === undefined ? null : keyEndOf(expires, now);
      const key = { accountId: id, name: named, scopes: granted, expiresAt, mode: config.mode, now };
      const api_key = await db.tx((tx) => createKey(tx, key));
      const end = expiresAt === null ? "none" : `after ${lastDayOf(expiresAt)} (UTC)`;
      const text = `API key   ${api_key}\nScopes    ${granted.join(", ")}\nEnd       ${end}\nThe key is not shown again.`;
      const data = { account_id: id, name: named, scopes: granted, expires_at: iso(expiresAt), api_key };
      return { data, text };
    });
  },
});
