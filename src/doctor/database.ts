import { eq } from "drizzle-orm";
import { iso } from "../clock.ts";
import { type Instance, readMode } from "../instance.ts";
import type { Check } from "./check.ts";

export async function checkWritable({ db, config }: Instance): Promise<Check> {
  const { meta } = db.t;
  await db.tx(async (tx) => {
    const row = { name: "doctor", value: String(Date.now()) };
    await tx.q
      .insert(meta)
      .values(row)
      .onConflictDoUpdate({ target: meta.name, set: { value: row.value } });
    await tx.q.delete(meta).where(eq(meta.name, "doctor"));
  });
  const place = config.databaseUrl.startsWith("file:") ? config.databaseUrl : "PostgreSQL";
  return { name: "Database", ok: true, found: `${place} opens and can be written to` };
}

/** Opening brings the schema to the newest: being here proves it. */
export async function checkSchema(): Promise<Check> {
  return { name: "Schema", ok: true, found: "at the newest version" };
}

export async function checkMode({ db, config }: Instance): Promise<Check> {
  const mode = await readMode(db);
  return { name: "Mode", ok: mode === config.mode, found: `the database is stamped ${mode}` };
}

export async function checkClock({ clock }: Instance): Promise<Check> {
  const { scale, realAt } = clock.anchor;
  const found = `service time ${iso(clock.service())}, ${scale} service seconds per second since ${iso(realAt)}`;
  const isAhead = realAt > clock.now();
  return {
    name: "Clock",
    ok: !isAhead,
    found: isAhead
      ? `the machine's clock is behind ${iso(realAt)}, when service time was fixed: it stands still`
      : found,
    remedy: "Set the clock of this machine right.",
  };
}
