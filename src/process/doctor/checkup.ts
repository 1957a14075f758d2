import { isPostgres } from "../../../db/open.ts";
import type { Config } from "../../platform/config/config.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { errorMessage } from "../../platform/errors/error-format.ts";
import { ownCommand } from "../../platform/own-command.ts";
import { type Instance, openInstance } from "../instance.ts";
import { checkCards } from "./cards.ts";
import { type Check, type Report, reportOf } from "./check.ts";
import { checkClock, checkMode, checkNodes, checkServer, checkSkew, checkVersion, checkWritable } from "./database.ts";
import { checkDirect } from "./direct.ts";
import { checkDisk } from "./disk.ts";
import { checkIssuer } from "./issuer.ts";
import { checkKeys } from "./keys.ts";
import { checkNode, checkPort } from "./machine.ts";
import { checkMail } from "./mail.ts";
import { checkProxies } from "./proxies.ts";
import { checkSecrets } from "./sealed.ts";
import { checkSettings } from "./settings.ts";
import { checkSettlement } from "./settlement.ts";
import { checkStripe } from "./stripe.ts";
import { checkDeliveries, checkWaitingMail } from "./waiting.ts";
import { checkBooks, checkEngines, checkProviders, checkSteps } from "./work.ts";

const DATABASE_CHECKS: readonly ((instance: Instance) => Promise<Check>)[] = [
  checkWritable,
  checkVersion,
  checkServer,
  checkSkew,
  checkNodes,
  checkMode,
  checkClock,
  checkDisk,
  checkSteps,
  checkWaitingMail,
  checkDeliveries,
  checkEngines,
  checkProviders,
  checkCards,
  checkDirect,
  checkSettlement,
  checkBooks,
  checkSecrets,
];

/** Checks everything that the service needs. Never throws: a check that throws has failed. */
export async function checkup(config: Config): Promise<Report[]> {
  const checks = [checkNode(process.versions.node), await checkSettings(config), ...(await checkDatabase(config))];
  for (const check of [checkKeys, checkStripe, checkIssuer, checkMail, checkPort, checkProxies])
    checks.push(...[await check(config).catch((thrown) => failedCheck(check.name, thrown))].flat());
  return checks.map(reportOf);
}

async function checkDatabase(config: Config): Promise<Check[]> {
  let instance: Instance;
  try {
    instance = await openInstance(config);
  } catch (thrown) {
    const remedy = !isPostgres(config.databaseUrl) ? UNUSABLE : isUnavailable(thrown) ? UNREACHABLE : REFUSED;
    return [{ name: "Database", ok: false, found: errorMessage(thrown), remedy }];
  }
  const checks: Check[] = [];
  for (const check of DATABASE_CHECKS) {
    checks.push(await check(instance).catch((thrown) => failedCheck(check.name, thrown)));
  }
  await instance.db.close();
  return checks;
}

const UNREACHABLE =
  "Check that PostgreSQL runs and that this machine can reach it, or correct DATABASE_URL. A running service resumes by itself once it answers.";
const REFUSED = "Follow the message, or set DATABASE_URL to another database.";
const UNUSABLE = "Follow the message, or correct DATABASE_URL.";

/** @param functionName name of the check that threw */
function failedCheck(functionName: string, thrown: unknown): Check {
  const check = { name: functionName.replace("check", ""), ok: false, found: errorMessage(thrown) };
  return isUnavailable(thrown)
    ? { ...check, remedy: `Run \`${ownCommand("doctor")}\` again once the database answers.` }
    : check;
}
