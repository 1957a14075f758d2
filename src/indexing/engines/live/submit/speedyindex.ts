import { DAY } from "../../../../platform/clock.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf, quotaOf } from "../api.ts";
import type { Channel, ChannelCall } from "../channel.ts";
import { lookUpTwice } from "./repeat-call.ts";
import { type PartOutcome, sendInParts } from "./split-batch.ts";

const NAME = "speedyindex";

/** List price of a link in millionths of a dollar. */
const PRICE = 7_500;

/** Most links of a task in the VIP queue. */
const VIP_LINKS = 100;

/**
 * SpeedyIndex v2 (https://speedyindexapi.vercel.app), a reseller that accepts pages of any site and is paid per
 * indexed page. Nearly every answer has status 200; the result is in `code`. A call is one task, whose title is the
 * call's reference. A call becomes several tasks if the VIP queue needs small ones or a URL was refused. A number
 * then follows the reference in their titles.
 */
export function speedyIndex(api: Api, key: string, lookupRetryMs?: number): Channel {
  const base = `${baseOf(api, NAME, "https://api.speedyindex.com")}/v2/task/google/indexer`;
  const headers = { Authorization: key, "Content-Type": "application/json" };
  const post = (path: string, body: object) =>
    ask(api, NAME, { method: "POST", url: `${base}/${path}`, headers, body: JSON.stringify(body) });

  async function create(urls: readonly string[], title: string, isInstant: boolean): Promise<PartOutcome> {
    const answer = await post("create", { title, urls, pay_per_indexed: true });
    // 413 and BAD_URL are about the whole list. Smaller parts of it may be accepted.
    if (answer.status === 413 && urls.length > 1) return "invalid";
    const { code, task_id } = answerOf(api, answer);
    if (code === BAD_URL) return "invalid";
    refuseCode(code);
    if (typeof task_id !== "string") throw new UpstreamFailure(NAME, "bad_answer");
    if (!isInstant) return { kind: "accepted" };
    return { kind: "accepted", detail: (await moveToVip(task_id)) ? "vip" : "vip_failed" };
  }

  /**
   * Moves a task into the VIP queue. The task exists already, and stays if the move fails. @returns whether it was
   * moved
   */
  async function moveToVip(task_id: string): Promise<boolean> {
    try {
      const { code } = answerOf(api, await post("vip", { task_id }));
      return code === DONE || code === ALREADY_VIP;
    } catch (thrown) {
      if (thrown instanceof UpstreamFailure) return false;
      throw thrown;
    }
  }

  return {
    name: NAME,
    lane: "google",
    batchSize: 500,
    // A call is one task, so that looking up a lost call settles all its links.
    instantBatchSize: VIP_LINKS,
    concurrency: 2,
    perHost: false,
    refuses: async () => null,
    quota: () => quotaOf(api, NAME, { price: PRICE }),
    async send({ urls, mode, reference }) {
      const isInstant = mode === "instant";
      const size = isInstant ? VIP_LINKS : urls.length;
      return sendInParts(urls, size, (part, no) => create(part, titleOf(reference, no), isInstant));
    },
    lookUp: (call) => lookUpTwice(() => isListed(api, `${base}/list`, headers, call), lookupRetryMs),
  };
}

const DONE = 0;
const OUT_OF_CREDITS = 1;
const BAD_URL = 2;
const OVERLOADED = -2;
const ALREADY_VIP = -4;

function titleOf(reference: string, no: number): string {
  return no === 0 ? reference : `${reference} ${no}`;
}

function answerOf(api: Api, answer: ApiResponse): Record<string, unknown> {
  if (answer.status !== 200) throw failureOf(api, NAME, answer);
  return Object(jsonOf(NAME, answer));
}

function refuseCode(code: unknown): void {
  if (code === DONE) return;
  if (code === OUT_OF_CREDITS) throw new UpstreamFailure(NAME, "quota");
  if (code === OVERLOADED) throw new UpstreamFailure(NAME, "rate_limited");
  throw new UpstreamFailure(NAME, "bad_answer");
}

/**
 * How much of the list of tasks is searched: its newest pages, of 1,000 tasks each, and no task older than `MAX_AGE`.
 */
const MAX_PAGES = 5;
const MAX_AGE = 2 * DAY;

/** Whether the list has all URLs of a call. Null if it has only some of them, or is too long to tell. */
async function isListed(
  api: Api,
  list: string,
  headers: Readonly<Record<string, string>>,
  { urls, reference }: ChannelCall,
): Promise<boolean | null> {
  let found = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(api, NAME, { method: "GET", url: `${list}/${page}`, headers });
    const { code, result, last_page: last } = answerOf(api, answer);
    refuseCode(code);
    if (!Array.isArray(result)) throw new UpstreamFailure(NAME, "bad_answer");
    for (const { title, size } of result) if (isOfCall(title, reference)) found += Number(size);
    if (found === urls.length) return true;
    const { created_at: oldest } = Object(result.at(-1));
    const isLast = typeof last !== "number" || page >= last;
    const isTooOld = Date.parse(oldest) < api.clock.service() - MAX_AGE;
    if (isLast || isTooOld) return found === 0 ? false : null;
  }
  return null;
}

function isOfCall(title: unknown, reference: string): boolean {
  return typeof title === "string" && (title === reference || title.startsWith(`${reference} `));
}
