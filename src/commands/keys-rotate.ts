import { rotateKeys } from "../domain/oauth/signing-keys.ts";
import { defineCommand } from "./command.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "keys rotate",
  about: "Create a new key that signs the identity assertions of agents",
  detail: [
    "The service does this by itself every 90 days. What the old key signed stays valid: the key is published for 31",
    "more days.",
  ].join("\n"),
  options: {},
  examples: ["keys rotate"],
  run: (_, { config }) =>
    withInstance(config, async ({ db, clock }) => {
      const { kid, retired } = await rotateKeys(db, clock.now());
      const text = `Signs now   ${kid}\nRetired     ${retired.join(", ") || "none"}`;
      return { data: { kid, retired }, text };
    }),
});
