import { SECOND } from "../../../../platform/clock.ts";
import {
  API_PROBLEMS,
  ApiFailure,
  type ApiRequest,
  type HttpClient,
} from "../../../../platform/http-client/http-client.ts";
import { reasonOf } from "../protocol/reasons.ts";
import type { Payload, Requirements } from "../protocol/x402.ts";
import { type Facilitator, FacilitatorUnreachable, type Verdict } from "./facilitator.ts";
import { namesNoOther, type SettleResponse, settlementOf } from "./settle-response.ts";

/** Most bytes of an answer. */
const BYTES = 256 * 1024;

/**
 * A facilitator at X402_FACILITATOR_URL (x402 v2, specs/transports-v2/http.md). The library's own client follows
 * redirects with what was signed, takes answers of any length, and writes a header of theirs to standard output.
 */
export function httpFacilitator(url: string, http: HttpClient): Facilitator {
  const post = (path: string, paymentPayload: Payload, paymentRequirements: Requirements, timeMs: number) => {
    const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements });
    return answered(http, { method: "POST", url: `${url}${path}`, body, timeMs, maxBytes: BYTES });
  };
  return {
    async verify(payload, requirements) {
      const { status, said } = await post("/verify", payload, requirements, 10 * SECOND);
      return verdictOf(status, said, payload);
    },
    async settle(payload, requirements) {
      try {
        const { status, said } = await post("/settle", payload, requirements, 30 * SECOND);
        const about = { payer: payload.payload.authorization.from, network: requirements.network };
        return isAnswer(status) ? settlementOf(said as SettleResponse, about) : { outcome: "unknown" };
      } catch {
        return { outcome: "unknown" };
      }
    },
    async serves(network) {
      const { status, said } = await answered(http, {
        method: "GET",
        url: `${url}/supported`,
        timeMs: 5 * SECOND,
        maxBytes: BYTES,
      });
      const { kinds } = said as { kinds?: unknown };
      if (status !== 200) throw new FacilitatorUnreachable(`HTTP status ${status}`);
      if (!Array.isArray(kinds)) throw new FacilitatorUnreachable(SENSELESS);
      return kinds.some((kind) => isExact(kind, network));
    },
  };
}

const SENSELESS = "its answer makes no sense";

/** @throws FacilitatorUnreachable if the answer is not a JSON object */
async function answered(http: HttpClient, request: ApiRequest): Promise<{ status: number; said: object }> {
  const { status, text } = await http.callApi(request).catch((thrown) => {
    throw thrown instanceof ApiFailure ? new FacilitatorUnreachable(API_PROBLEMS[thrown.problem]) : thrown;
  });
  const said = objectIn(text);
  if (said) return { status, said };
  throw new FacilitatorUnreachable(status === 200 ? SENSELESS : `HTTP status ${status}`);
}

function objectIn(text: string): object | null {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === "object" ? said : null;
  } catch {
    return null;
  }
}

/** A refusal may come with a status of success or of a client error. */
function isAnswer(status: number): boolean {
  return status === 200 || (status >= 400 && status < 500 && status !== 429);
}

/** @throws FacilitatorUnreachable if it is neither a clear acceptance nor a clear refusal of this payment */
function verdictOf(status: number, said: object, { payload }: Payload): Verdict {
  const { isValid, invalidReason, payer } = said as { isValid?: unknown; invalidReason?: unknown; payer?: unknown };
  const isOurs = isAnswer(status) && namesNoOther(payer, payload.authorization.from);
  if (isOurs && isValid === true && status === 200) return { isValid };
  if (isOurs && isValid === false && invalidReason !== FAILED) return { isValid, reason: reasonOf(invalidReason) };
  throw new FacilitatorUnreachable(status === 200 ? SENSELESS : `HTTP status ${status}`);
}

/** These codes are about the facilitator, not about the payment. */
const FAILED = "unexpected_verify_error";

/** Whether an entry of `/supported` is this scheme on this network; some entries name a whole family of networks. */
function isExact(kind: unknown, wanted: string): boolean {
  if (typeof kind !== "object" || kind === null) return false;
  const { x402Version: version, scheme, network } = kind as Record<string, unknown>;
  return version === 2 && scheme === "exact" && (network === wanted || network === "eip155:*");
}
