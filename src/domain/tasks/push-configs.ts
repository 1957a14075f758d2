import { createHash } from "node:crypto";
import { and, asc, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";
import { SIZES } from "../../platform/sizes.ts";
import { deleteDeliveries, queueTaskStates } from "../webhooks/queue.ts";
import { taskById } from "./read.ts";

export type PushConfigRow = Schema["pushConfigs"]["$inferSelect"];

/** By what the receiver of push notifications recognises the sender. */
export interface PushSecrets {
  readonly token?: string | undefined;
  readonly scheme?: string | undefined;
  readonly credentials?: string | undefined;
}

export interface NewPushConfig {
  readonly accountId: string;
  /** Id of the credential that makes it. */
  readonly maker: string;
  readonly taskId: string;
  /** Default: one that follows from the URL, so that a repeated request makes no other one. */
  readonly configId: string | undefined;
  readonly url: string;
  readonly protocol: "1.0" | "0.3";
  readonly secrets: PushSecrets;
}

/**
 * Saves a push configuration; one with the same id by the same maker is replaced. If its task does not go on, the configuration
 * is told so at once, because no later change would tell it.
 * @returns it, and the one that it replaces; null when the task is gone
 * @throws Refusal rate_limited when the task or the account has as many as it may
 */
export async function savePushConfig(
  tx: Tx,
  box: SecretBox,
  { secrets, configId, ...config }: NewPushConfig,
  now: number,
): Promise<{ readonly row: PushConfigRow; readonly before: PushConfigRow | null } | null> {
  const { accountId, maker, taskId, url } = config;
  const { pushConfigs } = tx.t;
  await lockAccount(tx, accountId);
  const task = await taskById(tx, accountId, taskId);
  if (!task) return null;
  const wanted = configId ?? configIdOf(url);
  const existing = await findPushConfig(tx, { maker, taskId, configId: wanted });
  if (!existing) await refuseTooMany(tx, accountId, taskId);
  const id = existing?.id ?? newId("pcf");
  const sealedSecrets = isEmpty(secrets) ? null : box.seal(JSON.stringify(secrets), secretsField(id));
  const values = { ...config, id, configId: wanted, sealedSecrets, createdAt: existing?.createdAt ?? now };
  const [row] = await tx.q
    .insert(pushConfigs)
    .values(values)
    .onConflictDoUpdate({ target: pushConfigs.id, set: values })
    .returning();
  const goesOn = task.task.state === "working" && task.project?.status !== "completed";
  if (!goesOn) await queueTaskStates(tx, [row!], now);
  return { row: row!, before: existing };
}

/**
 * Locks the account: the second of two simultaneous calls counts the first, and a configuration is made either before a project
 * is completed or after.
 */
async function lockAccount({ q, t: { accounts } }: Tx, accountId: string): Promise<void> {
  await q
    .update(accounts)
    .set({ events: sql`${accounts.events}` })
    .where(eq(accounts.id, accountId))
    .returning();
}

function configIdOf(url: string): string {
  return `cfg_${createHash("sha256").update(url).digest("hex").slice(0, 20)}`;
}

function isEmpty(secrets: PushSecrets): boolean {
  return Object.values(secrets).every((value) => value === undefined);
}

function secretsField(row: string): SealedField {
  return { table: "push_configs", row, column: "sealed_secrets" };
}

/** @throws Unsealable */
export function pushSecretsOf(
  box: SecretBox,
  { id, sealedSecrets }: Pick<PushConfigRow, "id" | "sealedSecrets">,
): PushSecrets {
  return sealedSecrets === null ? {} : (JSON.parse(box.open(sealedSecrets, secretsField(id))) as PushSecrets);
}

/** Push configurations of ended tasks do not count, because they are deleted with their tasks. */
async function refuseTooMany({ q, t: { pushConfigs, tasks } }: Tx, accountId: string, taskId: string): Promise<void> {
  const [ofTask] = await q.select({ n: count() }).from(pushConfigs).where(eq(pushConfigs.taskId, taskId));
  if (ofTask!.n >= SIZES.pushConfigsPerTask)
    throw tooMany(`The task has ${SIZES.pushConfigsPerTask} push configurations, and that is the most.`);
  const isOpen = and(eq(pushConfigs.accountId, accountId), isNull(tasks.expiresAt));
  const [ofAccount] = await q
    .select({ n: count() })
    .from(pushConfigs)
    .innerJoin(tasks, eq(tasks.id, pushConfigs.taskId))
    .where(isOpen);
  if (ofAccount!.n >= SIZES.pushConfigsPerAccount)
    throw tooMany(`Open tasks of the account have ${SIZES.pushConfigsPerAccount} push configurations in all.`);
}

function tooMany(problem: string): Refusal {
  return new Refusal("rate_limited", `${problem} Delete one first. Nothing was changed.`, {}, { "Retry-After": "60" });
}

/** What identifies a push configuration: its task, its maker, and its id in the protocol. */
export interface PushConfigKey {
  readonly maker: string;
  readonly taskId: string;
  readonly configId: string;
}

export async function findPushConfig(db: Reader, key: PushConfigKey): Promise<PushConfigRow | null> {
  const { pushConfigs } = db.t;
  const isIt = and(isOfMaker(db, key), eq(pushConfigs.configId, key.configId));
  const [row] = await db.q.select().from(pushConfigs).where(isIt);
  return row ?? null;
}

/** The push configurations that a maker has for a task, in the order of their ids. */
export function pushConfigsOf(db: Reader, key: Omit<PushConfigKey, "configId">): Promise<PushConfigRow[]> {
  const { pushConfigs } = db.t;
  return db.q.select().from(pushConfigs).where(isOfMaker(db, key)).orderBy(asc(pushConfigs.configId));
}

export function pushConfigsByIds(db: Reader, ids: readonly string[]): Promise<PushConfigRow[]> {
  const { pushConfigs } = db.t;
  return db.q
    .select()
    .from(pushConfigs)
    .where(inArray(pushConfigs.id, [...ids]));
}

/** The push configurations of an account's tasks that go on, newest first: at most SIZES.pushConfigsPerAccount. */
export function openPushConfigs(
  { q, t: { pushConfigs, tasks } }: Reader,
  accountId: string,
): Promise<Pick<PushConfigRow, "id" | "url" | "maker" | "createdAt">[]> {
  const { id, url, maker, createdAt } = pushConfigs;
  return q
    .select({ id, url, maker, createdAt })
    .from(pushConfigs)
    .innerJoin(tasks, eq(tasks.id, pushConfigs.taskId))
    .where(and(eq(pushConfigs.accountId, accountId), isNull(tasks.expiresAt)))
    .orderBy(desc(createdAt), desc(id));
}

/** Deletes a push configuration, as the person of the account may. @returns false when the account has no such one */
export async function deletePushConfigOf(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { pushConfigs } = tx.t;
  const isIts = and(eq(pushConfigs.accountId, accountId), eq(pushConfigs.id, id));
  const rows = await tx.q.select({ id: pushConfigs.id }).from(pushConfigs).where(isIts);
  await deletePushConfigs(
    tx,
    rows.map((row) => row.id),
  );
  return rows.length > 0;
}

/** Whether a maker has another push configuration with the same origin, for any task. */
export async function hasOtherTo(
  { q, t: { pushConfigs } }: Reader,
  { id, accountId, maker, url }: Pick<PushConfigRow, "id" | "accountId" | "maker" | "url">,
): Promise<boolean> {
  const { origin } = new URL(url);
  const rows = await q
    .select({ id: pushConfigs.id, url: pushConfigs.url })
    .from(pushConfigs)
    .where(and(eq(pushConfigs.accountId, accountId), eq(pushConfigs.maker, maker)));
  return rows.some((other) => other.id !== id && new URL(other.url).origin === origin);
}

function isOfMaker({ t: { pushConfigs } }: Reader, { maker, taskId }: Omit<PushConfigKey, "configId">) {
  return and(eq(pushConfigs.taskId, taskId), eq(pushConfigs.maker, maker));
}

/** Deletes push configurations with what they wait to tell. */
export async function deletePushConfigs(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { pushConfigs } = tx.t;
  await deleteDeliveries(tx, ids);
  await tx.q.delete(pushConfigs).where(inArray(pushConfigs.id, [...ids]));
}
