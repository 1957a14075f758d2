import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { type PostgresServer, startPostgres } from "../test/support/database/postgres-server.ts";

/** Usual settings for a server of this size; durable: fsync, full pages and synchronous commits are on. */
export const SERVER_SETTINGS = ["shared_buffers=1GB", "max_wal_size=8GB", "wal_compression=on"];

/** Runs `work` with a PostgreSQL server of its own, which is removed afterwards. */
export async function withPostgres<T>(work: (server: PostgresServer) => Promise<T>): Promise<T> {
  const server = await startPostgres({ durable: true, settings: SERVER_SETTINGS });
  const stop = () => {
    process.kill(server.pid, "SIGQUIT");
    process.exit(130);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    return await work(server);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await server.stop();
  }
}

/** A connection for the queries of the benchmark itself. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Bytes of write-ahead log that the server has written since it was made. */
export function walOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes");
    return rows[0].bytes as number;
  });
}

/** Runs a checkpoint, so that the next measurement does not pay for earlier writes. */
export function settle(url: string): Promise<unknown> {
  return withClient(url, (client) => client.query("CHECKPOINT"));
}

/** ms between two ticks of /proc (sysconf(_SC_CLK_TCK) is 100 on every Linux that Node runs on). */
const TICK = 10;

/** CPU that the server and all its processes have used, the ended ones too, in ms. Linux only; elsewhere NaN. */
export function serverCpu(pid: number): number {
  try {
    const [utime, stime, cutime, cstime] = timesOf(pid);
    let sum = utime! + stime! + cutime! + cstime!;
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name) || Number(name) === pid) continue;
      try {
        const { parent, times } = statOf(Number(name));
        if (parent === pid) sum += times[0]! + times[1]!;
      } catch {
        // It has ended in the meantime; its time is counted by its parent now.
      }
    }
    return sum * TICK;
  } catch {
    return Number.NaN;
  }
}

function timesOf(pid: number): readonly number[] {
  return statOf(pid).times;
}

/** proc(5): after the name in parentheses, state is field 3, ppid 4, utime to cstime 14 to 17. */
function statOf(pid: number): { parent: number; times: readonly number[] } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return { parent: Number(fields[1]), times: fields.slice(11, 15).map(Number) };
}
