import { changeState } from "./account-state.ts";
import { defineCommand } from "./command.ts";
import { WHICH_ACCOUNT } from "./values.ts";

export default defineCommand({
  name: "account enable",
  about: "Enable an account that was disabled",
  options: WHICH_ACCOUNT,
  examples: ["account enable --email ann@example.com"],
  run: async (which, { config }) => changeState(config, which, null),
});
