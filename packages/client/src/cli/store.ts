import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** What `beckon login` keeps of a service: an API key, or the tokens of a sign-in. */
export type Login =
  | { readonly kind: "key"; readonly key: string }
  | {
      readonly kind: "oauth";
      readonly clientId: string;
      readonly access: string;
      readonly refresh: string;
      /** When the access token ends, ms since 1970. */
      readonly endsAt: number;
    };

export interface Stored {
  /** The service of commands that name none. */
  readonly url?: string;
  readonly logins?: Readonly<Record<string, Login>>;
  /** Calls that were begun and not answered: the idempotency key of each, by the digest of the call. */
  readonly pending?: Readonly<Record<string, { readonly key: string; readonly at: number }>>;
}

/** A lock of a process that has died is broken after this time, in ms. */
const LOCK_MS = 60_000;

/** The file of the command line in the user's configuration folder, which only the user may read. */
export class Store {
  readonly #folder: string;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const home = env.XDG_CONFIG_HOME || (process.platform === "win32" && env.APPDATA) || join(homedir(), ".config");
    this.#folder = env.BECKON_CONFIG_DIR || join(home, "beckon");
  }

  get path(): string {
    return join(this.#folder, "client.json");
  }

  /** @throws Error where the file cannot be read; it is empty where there is none */
  async read(): Promise<Stored> {
    const text = await readFile(this.path, "utf8").catch((thrown) => {
      if (thrown.code === "ENOENT") return "{}";
      throw thrown;
    });
    try {
      return JSON.parse(text) as Stored;
    } catch {
      throw new Error(`${this.path} is damaged. Delete it, and run: beckon login`);
    }
  }

  /** Changes the file while no other process does. */
  async change<T>(work: (stored: Stored) => Promise<{ readonly stored: Stored; readonly result: T }>): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const unlock = await this.#lock();
    try {
      const { stored, result } = await work(await this.read());
      const draft = `${this.path}.${process.pid}`;
      await writeFile(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
      await rename(draft, this.path);
      return result;
    } finally {
      await unlock();
    }
  }

  async #lock(): Promise<() => Promise<void>> {
    const path = `${this.path}.lock`;
    for (;;) {
      try {
        await (await open(path, "wx")).close();
        return () => rm(path, { force: true });
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
      }
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > LOCK_MS) await rm(path, { force: true });
      else await wait(50);
    }
  }
}
