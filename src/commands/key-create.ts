import { createKey } from "../domain/accounts/keys.ts";
import { SCOPES } from "../platform/principal.ts";
import { defineCommand } from "./command.ts";
import { accountNamed, nameOf, scopesOf, WHICH_ACCOUNT } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "key create",
  about: "Create another API key for an account; it is shown once",
  options: {
    ...WHICH_ACCOUNT,
    name: { value: "N", about: "Name of the key", required: true },
    scopes: { value: "LIST", about: `What it may do, of ${SCOPES.join(",")}; default: all` },
  },
  async run({ email, account, name, scopes }, { config }) {
    const granted = scopes === undefined ? SCOPES : scopesOf(scopes);
    const named = nameOf("name", name);

    return withInstance(config, async ({ db, clock }) => {
      const { id } = await accountNamed(db, { email, account });
      const api_key = await db.tx((tx) =>
        createKey(tx, { accountId: id, name: named, scopes: granted, mode: config.mode, now: clock.now() }),
      );
      const text = `API key   ${api_key}\nScopes    ${granted.join(", ")}\nThe key is not shown again.`;
      return { data: { account_id: id, name: named, scopes: granted, api_key }, text };
    });
  },
});
