import type { Config } from "../platform/config/config.ts";
import { type Instance, openInstance } from "../process/instance.ts";

/** Runs `work` on the database of the settings, and closes it whatever happens. */
export async function withInstance<T>(config: Config, work: (instance: Instance) => Promise<T>): Promise<T> {
  const instance = await openInstance(config);
  try {
    return await work(instance);
  } finally {
    await instance.db.close();
  }
}
