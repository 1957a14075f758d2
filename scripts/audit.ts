import { parseArgs } from "node:util";
import { advisoriesOf, advisoryProblems } from "./audit/advisories.ts";
import { expired, readExceptions } from "./audit/exceptions.ts";
import { installedPackages, licenceProblems } from "./audit/licences.ts";

const HELP = `Usage: npm run audit [-- --offline]

Checks the licences of all installed packages, and asks the registry for known vulnerabilities of what is shipped and of
what it is developed with. Exceptions stand in scripts/audit-exceptions.json, each with a reason and a last day.

--offline  check licences alone; without it, a registry that does not answer is a failure`;

const { values } = parseArgs({ options: { offline: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
if (values.help) console.log(HELP);
else process.exitCode = (await audit(values.offline ?? false)) ? 0 : 1;

async function audit(isOffline: boolean): Promise<boolean> {
  const exceptions = readExceptions();
  const packages = installedPackages();
  const problems = [
    ...expired(exceptions, new Date().toISOString().slice(0, 10)),
    ...licenceProblems(packages, exceptions),
  ];
  console.log(`licences: ${packages.length} packages were checked`);
  if (isOffline) console.log("advisories: not asked for (--offline)");
  else
    for (const scope of ["shipped", "all"] as const) {
      try {
        const found = await advisoriesOf(scope);
        console.log(`advisories (${scope}): ${found.length} known`);
        problems.push(...advisoryProblems(found, exceptions));
      } catch (thrown) {
        problems.push(
          `advisories (${scope}) could not be fetched, so nothing is known of them: ${(thrown as Error).message}`,
        );
      }
    }
  for (const problem of new Set(problems)) console.error(`✗ ${problem}`);
  console.log(problems.length === 0 ? "in order" : `not in order: ${new Set(problems).size}`);
  return problems.length === 0;
}
