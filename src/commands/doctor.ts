import { exitCodeOf, type Report } from "../process/doctor/check.ts";
import { defineCommand } from "./command.ts";

export default defineCommand({
  name: "doctor",
  about: "Check that everything the service needs works; exit code 1: something does not, 3: all works, with a warning",
  detail: ["It may run while the service runs. It writes one row to the database, which it removes again."].join("\n"),
  options: {},
  examples: ["doctor"],
  async run(_options, { config }) {
    const { checkup } = await import("../process/doctor/checkup.ts");
    const checks = await checkup(config);
    const ok = checks.every((check) => check.ok);
    return { data: { ok, checks }, text: checks.map(line).join("\n"), exitCode: exitCodeOf(checks) };
  },
});

const MARKS = { ok: "✓", warning: "!", error: "✗" } as const;

function line({ ok, severity, name, found, remedy }: Report): string {
  return `${MARKS[severity]} ${name}: ${found}${ok || !remedy ? "" : `\n    → ${remedy}`}`;
}
