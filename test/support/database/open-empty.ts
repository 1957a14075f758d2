import type { Engine } from "../../../db/engine.ts";
import { openDatabase, reopenDatabase } from "../../../db/open.ts";
import { connectionsTo, deleteRows, isOnPostgres, type TestDatabase, testDatabase } from "./database.ts";

/** An engine on an empty, migrated database, for one test. */
export interface OpenDatabase {
  /** Value for DATABASE_URL. */
  readonly url: string;
  readonly db: Engine;
  release(): Promise<void>;
}

/** Opens a database of the dialect that this run of the tests uses. @param made default: a new one, or on PostgreSQL a kept one */
export async function openEmpty(made?: Promise<TestDatabase>): Promise<OpenDatabase> {
  if (!made && isOnPostgres) return openKept();
  const database = await (made ?? testDatabase());
  const { url } = database;
  // What `testDatabase` makes is a copy of a migrated one.
  const db = await (made ? openDatabase : reopenDatabase)(url, { durable: false });
  return {
    url,
    db,
    async release() {
      await db.close();
      await database.drop();
    },
  };
}

interface Kept {
  readonly database: TestDatabase;
  readonly engine: Engine;
}

/** Engines that earlier tests have released. A new one would connect several times, and each connection would read the catalog. */
const kept: Kept[] = [];

async function openKept(): Promise<OpenDatabase> {
  const { database, engine } = kept.pop() ?? (await newEngine());
  const { url } = database;
  const { db, end } = untilReleased(engine);
  return {
    url,
    db,
    async release() {
      end();
      if ((await isQuiet(engine, url)) && (await deleteRows(url))) return void kept.push({ database, engine });
      await engine.close();
      await database.drop();
    },
  };
}

async function newEngine(): Promise<Kept> {
  const database = await testDatabase();
  return { database, engine: await openDatabase(database.url, { durable: false }) };
}

/** Whether an engine is open, has nothing under way, and is alone on its database. */
async function isQuiet(engine: Engine, url: string): Promise<boolean> {
  const { poolTotal, poolIdle, poolWaiting } = engine.stats!();
  if (poolTotal === 0 || poolIdle !== poolTotal || poolWaiting > 0) return false;
  return (await connectionsTo(url)) === poolTotal;
}

/** The engine for one test: what the test has left behind changes nothing in the database of the next one. */
function untilReleased(engine: Engine): { db: Engine; end(): void } {
  let isReleased = false;
  const whileOpen =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isReleased) throw new Error("the test that had this database has released it");
      return work(...args);
    };
  const db: Engine = {
    ...engine,
    tx: whileOpen(engine.tx) as Engine["tx"],
    snapshot: whileOpen(engine.snapshot) as Engine["snapshot"],
    readCommitted: whileOpen(engine.readCommitted) as Engine["readCommitted"],
    claimSteps: whileOpen(engine.claimSteps),
  };
  return {
    db,
    end() {
      isReleased = true;
    },
  };
}
