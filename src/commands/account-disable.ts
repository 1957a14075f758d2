import { changeState } from "./account-state.ts";
import { defineCommand } from "./command.ts";
import { nameOf, WHICH_ACCOUNT } from "./values.ts";

export default defineCommand({
  name: "account disable",
  about: "Disable an account: it can read but not spend, and its people are told why",
  detail: [
    "Its calls that would spend or buy are refused with the reason, waiting URLs are not sent, and watches pause. What was",
    "sent is still checked, and credits of pages that are not indexed are returned. account enable ends this.",
  ].join("\n"),
  options: {
    ...WHICH_ACCOUNT,
    reason: { value: "TEXT", about: "A sentence for the people of the account", required: true },
  },
  examples: ['account disable --email ann@example.com --reason "Complaints about your pages reached us."'],
  run: async ({ reason, ...which }, { config }) => changeState(config, which, nameOf("reason", reason)),
});
