import type { Services } from "../contract/call.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import { sendDueDigests } from "../domain/notices/digest.ts";
import { MINUTE } from "../platform/clock.ts";
import { secretBoxOf } from "../platform/config/secrets-key.ts";
import type { Log } from "./log.ts";
import { startRecurring } from "./scheduler/recurring.ts";

type DigestServices = Pick<Services, "db" | "clock" | "config"> & { readonly mailer: Mailer };

/** Queues the mails that report completed projects of an hour. Every minute, one of all processes does so. */
export function startDigests({ db, clock, config, mailer }: DigestServices, log: Log): () => Promise<void> {
  const deps = { mailer, siteUrl: config.siteUrl, secretBox: secretBoxOf(config) };
  return startRecurring(db, {
    job: "digests",
    node: config.nodeName,
    periodMs: MINUTE,
    firstMs: MINUTE,
    work: () => sendDueDigests(db, deps, clock.now()),
    failed: (err) => log.error({ err }, "digests failed; retrying in a minute"),
  });
}
