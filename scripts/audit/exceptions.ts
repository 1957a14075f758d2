import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../../src/platform/package-root.ts";

const reasoned = {
  package: z.string().min(1),
  reason: z.string().min(20),
  /** Last day on which it holds. */
  until: z.iso.date(),
};

const Exceptions = z.strictObject({
  /** A name that ends in `*` stands for all that begin so. They hold for development dependencies only. */
  licences: z.array(z.strictObject({ ...reasoned, licence: z.string().min(1) })),
  /** `advisory`: id of GitHub's advisory database. */
  advisories: z.array(z.strictObject({ ...reasoned, advisory: z.string().regex(/^GHSA-/) })),
});
export type Exceptions = z.infer<typeof Exceptions>;

/** The exceptions, each with its reason. @throws ZodError where one has no reason or no date */
export function readExceptions(): Exceptions {
  return Exceptions.parse(JSON.parse(readFileSync(join(packageRoot, "scripts/audit-exceptions.json"), "utf8")));
}

/** A problem for each exception whose last day is over. @param today ISO date */
export function expired({ licences, advisories }: Exceptions, today: string): string[] {
  return [...licences, ...advisories]
    .filter(({ until }) => until < today)
    .map(
      (one) => `the exception for ${one.package} ended on ${one.until}: decide again, in scripts/audit-exceptions.json`,
    );
}
