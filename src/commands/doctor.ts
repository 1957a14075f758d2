import type { Check } from "../process/doctor/check.ts";
import { checkup } from "../process/doctor/checkup.ts";
import { defineCommand } from "./command.ts";

export default defineCommand({
  name: "doctor",
  about: "Look whether everything this service needs is in order; exit code 1 when something is not",
  detail: [
    "It may run beside the service. The database is opened as the service would, which brings an older schema to the",
    "newest, and one row is written there and taken away again.",
  ].join("\n"),
  options: {},
  async run(_options, { config }) {
    const checks = await checkup(config);
    const ok = checks.every((check) => check.ok);
    return { data: { ok, checks }, text: checks.map(line).join("\n"), exitCode: ok ? 0 : 1 };
  },
});

function line({ ok, name, found, remedy }: Check): string {
  return `${ok ? "✓" : "✗"} ${name}: ${found}${ok || !remedy ? "" : `\n    → ${remedy}`}`;
}
