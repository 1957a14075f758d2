import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf } from "./message.ts";
import type { Transport } from "./transport.ts";

/**
 * Writes each message into a folder as an .eml file (RFC 5322), readable by its owner only, since it may contain links.
 * @param folder created if it does not exist
 */
export function fileTransport(folder: string, from: string): Transport {
  const into = resolve(folder);
  const write = async (name: string, content: Buffer | string) => {
    await mkdir(into, { recursive: true, mode: 0o700 });
    // Under a temporary name until it is complete, so that programs that watch the folder read whole files.
    const part = join(into, `.${name}.part`);
    await writeFile(part, content, { mode: 0o600, flag: "wx" });
    await rename(part, join(into, name));
  };
  return {
    async deliver(mail) {
      await write(fileName(), (await messageOf(mail, from)).raw);
    },
    async check() {
      const name = `.check-${randomBytes(6).toString("hex")}`;
      await write(name, "");
      await rm(join(into, name));
      return `written to ${into}`;
    },
  };
}

let written = 0;

/** A file name that sorts by time, also within a millisecond. */
function fileName(): string {
  written = (written + 1) % 1_000_000;
  const time = new Date().toISOString().replaceAll(":", "-");
  return `${time}-${String(written).padStart(6, "0")}-${randomBytes(4).toString("hex")}.eml`;
}
