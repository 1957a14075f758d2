import { changeState } from "./account-state.ts";
import { defineCommand } from "./command.ts";
import { nameOf, WHICH_ACCOUNT } from "./values.ts";

export default defineCommand({
  name: "account disable",
  about: "Let an account read and spend nothing, and tell its people why",
  detail: [
    "Its calls that would spend or buy are refused with the reason, waiting URLs are not sent, and watches pause. What was",
    "sent is still checked, and credits of pages that are not indexed are returned. account enable ends it.",
  ].join("\n"),
  options: {
    ...WHICH_ACCOUNT,
    reason: { value: "TEXT", about: "A sentence for the people of the account", required: true },
  },
  examples: ['account disable --email ann@example.com --reason "Complaints about your pages reached us."'],
  run: async ({ reason, ...which }, { config }) => changeState(config, which, nameOf("reason", reason)),
});
