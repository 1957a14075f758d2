import type { Config } from "../config.ts";
import { type Instance, openInstance } from "../instance.ts";
import { sentenceOf } from "../thrown.ts";
import { checkCards } from "./cards.ts";
import type { Check } from "./check.ts";
import { checkClock, checkMode, checkNodes, checkSchema, checkServer, checkSkew, checkWritable } from "./database.ts";
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
  checkSchema,
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
    const remedy = "Correct DATABASE_URL, or the permissions of the file and its folder.";
    return [{ name: "Database", ok: false, found: messageOf(thrown), remedy }];
  }
  const checks: Check[] = [];
  for (const look of ON_THE_DATABASE) {
    checks.push(await look(instance).catch((thrown) => ({ name: look.name, ok: false, found: messageOf(thrown) })));
  }
  await instance.db.close();
  return checks;
}

function messageOf(thrown: unknown): string {
  return sentenceOf(thrown);
}
