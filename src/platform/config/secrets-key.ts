import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SecretBox } from "../secret-box.ts";
import type { Config } from "./config.ts";
import { keyBytes } from "./key-bytes.ts";

type KeySettings = Pick<Config, "secretsKeys" | "databaseUrl" | "mode">;

const boxes = new WeakMap<KeySettings, SecretBox>();

/**
 * The box that seals with SECRETS_KEY. A sandbox without that setting keeps a key in the file `secrets-key` in the
 * folder of its database, readable by its owner alone. The file is made when something is first sealed.
 */
export function secretBoxOf(config: KeySettings): SecretBox {
  const made = boxes.get(config) ?? new SecretBox(() => keysOf(config));
  boxes.set(config, made);
  return made;
}

/** The path of a sandbox's file in the folder of its database, which is `data` for PostgreSQL. */
export function besideDatabase({ databaseUrl }: Pick<Config, "databaseUrl">, name: string): string {
  const isFile = databaseUrl.startsWith("file:");
  return join(isFile ? dirname(resolve(databaseUrl.slice("file:".length))) : resolve("data"), name);
}

/** @throws Error when the file holds no key, or cannot be made */
function keysOf(config: KeySettings): Buffer[] {
  if (config.secretsKeys.length > 0) return config.secretsKeys.map((text) => keyBytes(text)!);
  if (config.mode === "live") throw new Error("SECRETS_KEY: a live service needs a key");
  const file = besideDatabase(config, "secrets-key");
  const key = keyBytes(readKept(file) ?? makeKey(file));
  if (key === null) throw new Error(`${file} holds no key of 32 bytes. Restore it, or set SECRETS_KEY.`);
  return [key];
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw thrown;
  }
}

/** Makes the file. Of several processes that do so at once, one succeeds, and all of them use its key. */
function makeKey(file: string): string {
  const part = `${file}.part-${process.pid}-${randomBytes(4).toString("hex")}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(part, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A hard link never replaces a file, and the name appears with the whole key in it.
    linkSync(part, file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  } finally {
    rmSync(part, { force: true });
  }
  return readKept(file)!;
}
