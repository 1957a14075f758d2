import { eq } from "drizzle-orm";
import { createSite, type SiteRow } from "../../../src/indexing/sites/sites.ts";
import type { TestService } from "../service/service.ts";

/** Gives an account a site that counts as verified. */
export function verifiedSite(
  { db, clock }: Pick<TestService, "db" | "clock">,
  accountId: string,
  host: string,
): Promise<SiteRow> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const { id } = await createSite(tx, { accountId, host, now });
    const { sites } = tx.t;
    const set = { status: "verified", verifiedAt: now };
    const [site] = await tx.q.update(sites).set(set).where(eq(sites.id, id)).returning();
    return { ...site!, verifiedBy: "key_file" };
  });
}
