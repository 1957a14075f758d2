import { createHash } from "node:crypto";
import { z } from "zod";
import { CHANGES, type Change, type RecordedChange, subjectOf } from "../../domain/security-log/security-log.ts";
import { iso } from "../../platform/clock.ts";

/** A change in an account, and who made it. Open: fields and kinds may be added. */
export const Activity = z
  .object({
    object: z.literal("activity"),
    id: z.string(),
    at: z.string(),
    kind: z.string(),
    text: z.string().describe("`kind` in words"),
    subject: z.string().nullable().describe("Names what was changed"),
    target_id: z.string().nullable(),
    person_id: z.string().nullable().describe("Who did it, or for whom the credential did; null: not known"),
    role: z.string().nullable().describe("At the time"),
    email: z.string().nullable().describe("Only for owners and managers at the website"),
    credential: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe("Key, app or agent that did it; null: at the website"),
  })
  .meta({ id: "Activity" });

/** @param withAddresses whether the reader may see the addresses of others */
export function presentActivity(row: RecordedChange, { withAddresses }: { readonly withAddresses: boolean }) {
  const { accountId, id, at, kind, target, personId, role, credential, credentialName } = row;
  return {
    object: "activity",
    // The number in the table would tell how much all accounts do together.
    id: `act_${createHash("sha256").update(`${accountId}:${id}`).digest("hex").slice(0, 20)}`,
    at: iso(at),
    kind,
    text: CHANGES[kind as Change] ?? kind,
    subject: subjectOf(row, withAddresses),
    target_id: target === null || target.includes("@") ? null : target,
    person_id: personId,
    role,
    email: withAddresses ? row.email : null,
    credential: credential === null ? null : { id: credential, name: credentialName },
  } satisfies z.output<typeof Activity>;
}
