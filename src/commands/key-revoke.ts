import { revokeKey } from "../domain/credentials/keys.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "key revoke",
  about: "Revoke an API key: calls with it are refused from now on",
  options: { id: { value: "ID", about: "Id of the key, as key list shows it", required: true } },
  examples: ["key revoke --id key_0123456789abcdefghjk"],
  run: async ({ id }, { config }) =>
    withInstance(config, async ({ db, clock }) => {
      if (!(await db.tx((tx) => revokeKey(tx, id, clock.now()))))
        throw new Error(`There is no key ${id} that could be revoked. key list shows the keys of an account.`);
      return { data: { id, revoked: true }, text: `${id} is revoked` };
    }),
});
