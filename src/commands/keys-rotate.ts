import { rotateKeys } from "../domain/auth/signing-keys.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "keys rotate",
  about: "Make a new key to sign the identity assertions of agents with",
  detail: [
    "The service does this by itself every 90 days. What the old key has signed stays good: it is published for 31",
    "days more.",
  ].join("\n"),
  options: {},
  run: (_, { config }) =>
    withInstance(config, async ({ db, clock }) => {
      const { kid, retired } = await rotateKeys(db, clock.now());
      const text = `Signs now   ${kid}\nRetired     ${retired.join(", ") || "none"}`;
      return { data: { kid, retired }, text };
    }),
});
