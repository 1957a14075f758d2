import { z } from "zod";
import { PUBLIC_TYPES, type SubscribedType } from "../../../domain/events/types.ts";
import { type Narrowing, narrowingFieldsOf } from "../../../domain/subscriptions/narrowing.ts";
import { SUBSCRIPTION_TERMS } from "../../../domain/subscriptions/terms.ts";
import { isWebhookSecret } from "../../../domain/webhooks/secret.ts";
import { webhookUrl } from "../../../domain/webhooks/webhook-url.ts";
import { HOUR, MINUTE } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { eventsError } from "./wire.ts";

/** A wish in whole ms, which is not refused for its size. */
const duration = z
  .number()
  .multipleOf(1)
  .transform((ms) => Math.min(Math.max(ms, 0), Number.MAX_SAFE_INTEGER))
  .nullish();

const narrowed = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const read = narrowed.extend({ cursor: z.string().nullish(), maxAgeMs: duration });

/** The parameters of the methods. Nothing is said here of what other parameters mean. */
export const PARAMS = {
  /** What a subscription is asked for first: other modes have other fields. */
  mode: z.looseObject({ delivery: z.looseObject({ mode: z.string() }) }),
  subscribe: read.extend({
    delivery: z.looseObject({ url: z.string().max(SIZES.webhookUrl), secret: z.string() }),
    ttlMs: duration,
  }),
  unsubscribe: narrowed.extend({ delivery: z.looseObject({ url: z.string().max(SIZES.webhookUrl) }) }),
  poll: read.extend({ maxEvents: z.int().min(1).nullish() }),
  stream: read,
};

/** @throws ProtocolError InvalidParams that names the first field that is wrong */
export function paramsOf<Shape extends z.ZodType>(shape: Shape, params: unknown): z.output<Shape> {
  const parsed = shape.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw eventsError("InvalidParams", `\`${path.join(".")}\`: ${message}.`);
}

/** What a request is about. @throws ProtocolError NotFound, InvalidParams */
export function subjectOf({ name, arguments: narrowing }: z.output<typeof narrowed>): {
  type: SubscribedType;
  narrowing: Narrowing;
} {
  const type = PUBLIC_TYPES.find((one) => one === name);
  if (!type) throw eventsError("NotFound", "There is no such event. See events/list.", { kind: "event" });
  const fields = narrowingFieldsOf(type);
  const shape = z.strictObject(Object.fromEntries(fields.map((field) => [field, z.string().max(100).optional()])));
  const parsed = shape.safeParse(narrowing);
  if (parsed.success) return { type, narrowing: parsed.data };
  const known = fields.length === 0 ? "none" : fields.join(", ");
  throw eventsError("InvalidParams", `\`arguments\` does not fit. ${type} takes as texts: ${known}.`);
}

/** @throws ProtocolError InvalidParams */
export function receiverUrl(text: string): string {
  try {
    return webhookUrl(text);
  } catch (thrown) {
    if (thrown instanceof Refusal) throw eventsError("InvalidParams", `\`delivery.url\`: ${thrown.message}`);
    throw thrown;
  }
}

/** @throws ProtocolError InvalidParams, which does not repeat it */
export function refuseBadSecret(secret: string): void {
  if (isWebhookSecret(secret)) return;
  throw eventsError("InvalidParams", "`delivery.secret` has to be `whsec_` and the base64 of 24 to 64 random bytes.");
}

/** How long a subscription may go on without being asked for again, in ms. */
export const TTL = { least: MINUTE, most: SUBSCRIPTION_TERMS.hours * HOUR };

/** A wish is never refused: it is brought within TTL. Without one, or with the wish for no end, it is the longest. */
export function grantedTtl(wish: number | null | undefined): number {
  return Math.min(Math.max(wish ?? TTL.most, TTL.least), TTL.most);
}
