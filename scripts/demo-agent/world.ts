import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/platform/config/config.ts";
import { createLog } from "../../src/process/log.ts";
import { type Service, startService } from "../../src/process/service.ts";
import { type Devnet, startDevnet } from "../../test/support/payments/direct-service.ts";

/** Service seconds in a real one: sixteen days in twenty seconds. */
const TIME_SCALE = (16 * 24 * 3600) / 20;

export interface World {
  readonly devnet: Devnet;
  readonly service: Service;
  /** Folder that the mail goes into. */
  readonly mailbox: string;
  end(): Promise<void>;
}

/** A chain with a test dollar, and a sandbox that takes it: all in a temporary folder and on free ports. */
export async function startWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-demo-agent-"));
  const mailbox = join(folder, "mail");
  const devnet = await startDevnet();
  const clean = async () => {
    await devnet.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const config = readConfig({
      ...devnet.env(),
      DATABASE_URL: `file:${join(folder, "demo.db")}`,
      PORT: "0",
      MAIL: `file:${mailbox}`,
      TIME_SCALE: String(TIME_SCALE),
      LOG_LEVEL: "error",
    });
    const service = await startService(config, createLog(config));
    const end = async () => {
      await service.stop();
      await clean();
    };
    return { devnet, service, mailbox, end };
  } catch (thrown) {
    await clean();
    throw thrown;
  }
}
