import { eq } from "drizzle-orm";
import { TOTP } from "otpauth";
import { openDatabase } from "../../../db/open.ts";
import { addAuthenticatorApp } from "../../../src/domain/factors/authenticator-app.ts";
import { requireFactor } from "../../../src/domain/factors/factors.ts";
import { createRecoveryCodes } from "../../../src/domain/factors/recovery-codes.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import type { SecretBox } from "../../../src/platform/secret-box.ts";
import { ownerOf } from "../database/people.ts";
import type { TestStore } from "../database/store.ts";

/** The secret of the apps that tests add. */
export const APP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** The code that the app shows at a time. @param clockOff ms by which its clock is ahead */
export function codeAt(now: number, clockOff = 0): string {
  return new TOTP({ secret: APP_SECRET }).generate({ timestamp: now + clockOff });
}

/** Gives an account an app, a passkey that nobody holds, and recovery codes, and requires a factor. @returns the codes */
export async function giveFactors(
  { db, clock }: Pick<TestStore, "db" | "clock">,
  box: SecretBox,
  accountId: string,
  isRequired = true,
): Promise<string[]> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const personId = await ownerOf(tx, accountId);
    await addAuthenticatorApp(tx, box, { personId, secret: APP_SECRET, step: 0, now });
    await tx.q.insert(tx.t.passkeys).values({
      id: `psk_of_${accountId}`,
      personId,
      credentialId: `credential of ${accountId}`,
      publicKey: "",
      signCount: 0,
      transports: "internal",
      isBackedUp: true,
      name: "Ann's phone",
      createdAt: now,
      lastUsedAt: now,
    });
    await requireFactor(tx, personId, isRequired);
    return createRecoveryCodes(tx, personId, now);
  });
}

/** Makes the account's sessions ones in which a factor was shown just now. */
export async function showFactorIn({ db, clock }: Pick<TestStore, "db" | "clock">, accountId: string): Promise<void> {
  const { sessions } = db.t;
  await db.tx((tx) => tx.q.update(sessions).set({ factorAt: clock.now() }).where(eq(sessions.accountId, accountId)));
}

/** Gives an account of a database on disk an authenticator app, sealed with the key of these settings. */
export async function sealIn(env: NodeJS.ProcessEnv, accountId: string): Promise<void> {
  const config = readConfig(env);
  const db = await openDatabase(config.databaseUrl);
  await db.tx(async (tx) => {
    const app = { personId: await ownerOf(tx, accountId), secret: APP_SECRET, step: 0, now: Date.now() };
    await addAuthenticatorApp(tx, secretBoxOf(config), app);
  });
  await db.close();
}
