import { existsSync } from "node:fs";
import type { Engine } from "../../db/engine.ts";
import { checkSealedSecrets } from "../../db/sealed-secrets.ts";
import type { Config } from "../platform/config/config.ts";
import { besideDatabase, secretBoxOf } from "../platform/config/secrets-key.ts";
import { formatCount } from "../platform/format.ts";
import { ownCommand } from "../platform/own-command.ts";
import { SecretBox } from "../platform/secret-box.ts";

/** Which sealed secrets of a database that was put in place the service can open there. */
export interface SealedReport {
  readonly total: number;
  readonly unreadable: number;
  /** A line for people, with what to do; "" where nothing is sealed. */
  readonly text: string;
}

type KeySettings = Pick<Config, "secretsKeys" | "databaseUrl" | "mode">;

/** @param config as the service will have it, with the address of the database in its new place */
export async function sealedReport(db: Pick<Engine, "snapshot">, config: KeySettings): Promise<SealedReport> {
  const { total, unreadable } = await db.snapshot((reader) => checkSealedSecrets(reader, boxOf(config)));
  const secrets = formatCount(total, "sealed secret");
  if (total === 0) return { total, unreadable: 0, text: "" };
  if (unreadable.length === 0) return { total, unreadable: 0, text: `${secrets} can be opened with the present key.` };
  const text = `${unreadable.length} of ${secrets} cannot be opened with the present key: ${unreadable[0]}.
Before you start the service, set SECRETS_KEY to the key that sealed them${whereSandboxKeeps(config)}; ${ownCommand("doctor")} says when all can be opened.
If the key is lost, the owners of these factors have to remove them and add them again.`;
  return { total, unreadable: unreadable.length, text };
}

function whereSandboxKeeps(config: KeySettings): string {
  if (config.mode === "live") return "";
  return `, or put the file secrets-key of the former place at ${besideDatabase(config, "secrets-key")}`;
}

/** Without a key it opens nothing, and makes none: the right one may still be put in place. */
function boxOf(config: KeySettings): SecretBox {
  const hasKey = config.secretsKeys.length > 0 || existsSync(besideDatabase(config, "secrets-key"));
  return hasKey ? secretBoxOf(config) : new SecretBox(() => []);
}
