import type { Config } from "../platform/config/config.ts";
import { type Instance, openInstance } from "../process/instance.ts";

/** Runs `work` with the database of the settings open, which has to be there with the newest schema; closes it afterwards. */
export async function withInstance<T>(config: Config, work: (instance: Instance) => Promise<T>): Promise<T> {
  const instance = await openInstance(config);
  try {
    return await work(instance);
  } finally {
    await instance.db.close();
  }
}
