import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 10_000;

/**
 * Waits for the first message in the folder that `MAIL=file:FOLDER` names.
 * @throws Error when none comes
 */
export async function firstMail(folder: string): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    const [name] = (await readdir(folder).catch(() => [])).filter((one) => one.endsWith(".eml"));
    if (name === undefined) continue;
    const message = await readFile(join(folder, name), "utf8");
    return message.slice(message.indexOf("\r\n\r\n"));
  }
  throw new Error("the mail that confirms the address did not come");
}
