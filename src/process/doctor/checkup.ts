import { isPostgres } from "../../../db/open.ts";
import type { Config } from "../../platform/config/config.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { errorMessage } from "../../platform/errors/error-format.ts";
import { type Instance, openInstance } from "../instance.ts";
import { checkCards } from "./cards.ts";
import type { Check } from "./check.ts";
import { checkClock, checkMode, checkNodes, checkServer, checkSkew, checkWritable } from "./database.ts";
import { checkDirect } from "./direct.ts";
import { checkNode, checkPort } from "./machine.ts";
import { checkMail } from "./mail.ts";
import { checkSettlement } from "./settlement.ts";
import { checkBooks, checkEngines, checkProviders, checkSteps } from "./work.ts";

const ON_THE_DATABASE: readonly ((instance: Instance) => Promise<Check>)[] = [
  checkWritable,
  checkServer,
  checkSkew,
  checkNodes,
  checkMode,
  checkClock,
  checkSteps,
  checkEngines,
  checkProviders,
  checkCards,
  checkDirect,
  checkSettlement,
  checkBooks,
];

/** Looks at everything the service needs. Never throws: what cannot be looked at is not in order. */
export async function checkup(config: Config): Promise<Check[]> {
  const database = await checkDatabase(config);
  return [checkNode(process.versions.node), ...database, await checkMail(config), await checkPort(config)];
}

async function checkDatabase(config: Config): Promise<Check[]> {
  let instance: Instance;
  try {
    instance = await openInstance(config);
  } catch (thrown) {
    const remedy = !isPostgres(config.databaseUrl) ? UNUSABLE : isUnavailable(thrown) ? AWAY : REFUSED;
    return [{ name: "Database", ok: false, found: errorMessage(thrown), remedy }];
  }
  const checks: Check[] = [];
  for (const look of ON_THE_DATABASE) {
    checks.push(await look(instance).catch((thrown) => notLooked(look.name, thrown)));
  }
  await instance.db.close();
  return checks;
}

const AWAY =
  "See that PostgreSQL runs and that this machine reaches it, or correct DATABASE_URL. A service at work goes on by itself once it answers.";
const REFUSED = "Do what it says, or set DATABASE_URL to another database.";
const UNUSABLE = "Do what it says, or correct DATABASE_URL.";

/** @param look name of the function that was to look */
function notLooked(look: string, thrown: unknown): Check {
  const check = { name: look.replace("check", ""), ok: false, found: errorMessage(thrown) };
  return isUnavailable(thrown) ? { ...check, remedy: "Look again once the database answers." } : check;
}
