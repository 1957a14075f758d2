import type { Check } from "../process/doctor/check.ts";
import { defineCommand } from "./command.ts";

export default defineCommand({
  name: "doctor",
  about: "Check that everything the service needs works; exit code 1 when something does not",
  detail: ["It may run while the service runs. It writes one row to the database, which it removes again."].join("\n"),
  options: {},
  async run(_options, { config }) {
    const { checkup } = await import("../process/doctor/checkup.ts");
    const checks = await checkup(config);
    const ok = checks.every((check) => check.ok);
    return { data: { ok, checks }, text: checks.map(line).join("\n"), exitCode: ok ? 0 : 1 };
  },
});

function line({ ok, name, found, remedy }: Check): string {
  return `${ok ? "✓" : "✗"} ${name}: ${found}${ok || !remedy ? "" : `\n    → ${remedy}`}`;
}
