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

/** Links of a task that may go into the VIP queue. */
const VIP_LINKS = 100;

/**
 * SpeedyIndex v2 (https://speedyindexapi.vercel.app), a reseller: takes pages that nobody here owns, and is paid by the
 * indexed one. Nearly everything is answered with 200; what came of it is in `code`. A call is one task, whose title is
 * the call's reference; it is several where the VIP queue wants small ones, or a URL was refused, and then the titles
 * go on with a number.
 */
export function speedyIndex(api: Api, key: string, lookupRetryMs?: number): Channel {
  const base = `${baseOf(api, NAME, "https://api.speedyindex.com")}/v2/task/google/indexer`;
  const headers = { Authorization: key, "Content-Type": "application/json" };
  const post = (path: string, body: object) =>
    ask(api, NAME, { method: "POST", url: `${base}/${path}`, headers, body: JSON.stringify(body) });

  async function create(urls: readonly string[], title: string, isInstant: boolean): Promise<PartOutcome> {
    const answer = await post("create", { title, urls, pay_per_indexed: true });
    // Both mean the list and not the call: smaller parts of it may go through.
    if (answer.status === 413 && urls.length > 1) return "invalid";
    const { code, task_id } = answerOf(api, answer);
    if (code === BAD_URL) return "invalid";
    refuseCode(code);
    if (typeof task_id !== "string") throw new UpstreamFailure(NAME, "bad_answer");
    if (!isInstant) return { kind: "accepted" };
    return { kind: "accepted", detail: (await hurry(task_id)) ? "vip" : "vip_failed" };
  }

  /** Into the VIP queue. The task is there already and stays there, whatever comes of this. */
  async function hurry(task_id: string): Promise<boolean> {
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
    // One task a call: what became of a call that was lost is then known of all its links.
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
    lookUp: (call) => lookUpTwice(() => isThere(api, `${base}/list`, headers, call), lookupRetryMs),
  };
}

const DONE = 0;
const TOP_UP = 1;
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
  if (code === TOP_UP) throw new UpstreamFailure(NAME, "quota");
  if (code === OVERLOADED) throw new UpstreamFailure(NAME, "rate_limited");
  throw new UpstreamFailure(NAME, "bad_answer");
}

/** Pages of the list, of 1,000 tasks each, the newest first; and how far back a lost call is looked for. */
const PAGES = 5;
const BACK = 2 * DAY;

/** Whether the tasks of a call are in the list with all its URLs; null: with some, or the list is too long to tell. */
async function isThere(
  api: Api,
  list: string,
  headers: Readonly<Record<string, string>>,
  { urls, reference }: ChannelCall,
): Promise<boolean | null> {
  let found = 0;
  for (let page = 0; page < PAGES; page++) {
    const answer = await ask(api, NAME, { method: "GET", url: `${list}/${page}`, headers });
    const { code, result, last_page: last } = answerOf(api, answer);
    refuseCode(code);
    if (!Array.isArray(result)) throw new UpstreamFailure(NAME, "bad_answer");
    for (const { title, size } of result) if (isOfCall(title, reference)) found += Number(size);
    if (found === urls.length) return true;
    const { created_at: oldest } = Object(result.at(-1));
    const isLast = typeof last !== "number" || page >= last;
    const isFarBack = Date.parse(oldest) < api.clock.service() - BACK;
    if (isLast || isFarBack) return found === 0 ? false : null;
  }
  return null;
}

function isOfCall(title: unknown, reference: string): boolean {
  return typeof title === "string" && (title === reference || title.startsWith(`${reference} `));
}
