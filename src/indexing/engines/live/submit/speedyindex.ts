import { DAY } from "../../../../platform/clock.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, ask, baseOf, failureOf, objectIn, quotaOf } from "../api.ts";
import type { Channel, ChannelCall } from "../channel.ts";
import { lookUpTwice } from "./repeat-call.ts";

const NAME = "speedyindex";

/** List price of a link in millionths of a dollar. */
const PRICE = 7_500;

/** Most links of a task in the VIP queue. */
const VIP_LINKS = 100;

/**
 * SpeedyIndex v2 (https://speedyindexapi.vercel.app), a reseller that accepts pages of any site and is paid per
 * indexed page. Nearly every answer has status 200; the result is in `code`. A call is one task, whose title is the
 * call's reference.
 */
export function speedyIndex(api: Api, key: string, lookupRetryMs?: number): Channel {
  const origin = baseOf(api, NAME, "https://api.speedyindex.com");
  const base = `${origin}/v2/task/google/indexer`;
  const headers = { Authorization: key, "Content-Type": "application/json" };
  const post = (path: string, body: object) =>
    ask(api, NAME, { method: "POST", url: `${base}/${path}`, headers, body: JSON.stringify(body) });

  /** The failure of an answer. Credits that are not enough for a whole list may be for a part of it. */
  async function failureIn(answer: ApiResponse): Promise<UpstreamFailure> {
    const failure = failureOf(api, NAME, answer, ANSWERS, objectIn(answer).code);
    return failure.kind === "quota" ? new UpstreamFailure(NAME, "quota", { left: await linksLeft() }) : failure;
  }

  /** How many links the balance pays for; undefined if it is not known. */
  async function linksLeft(): Promise<number | undefined> {
    const url = `${origin}/v2/account`;
    const answer = await ask(api, NAME, { method: "GET", url, headers }).catch(() => null);
    const { indexer } = Object(answer && Object(objectIn(answer).balance)) as { indexer?: unknown };
    return typeof indexer === "number" ? Math.max(0, Math.floor(indexer)) : undefined;
  }

  /**
   * Moves a task into the VIP queue. The task exists already, and stays if the move fails. @returns whether it was
   * moved
   */
  async function moveToVip(task_id: string): Promise<boolean> {
    try {
      const { code } = objectIn(await post("vip", { task_id }));
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
    instantBatchSize: VIP_LINKS,
    concurrency: 2,
    perHost: false,
    refuses: async () => null,
    quota: () => quotaOf(api, NAME, { price: PRICE }),
    async send({ urls, mode, reference }) {
      const answer = await post("create", { title: reference, urls, pay_per_indexed: true });
      const { code, task_id } = objectIn(answer);
      if (answer.status !== 200 || code !== DONE) throw await failureIn(answer);
      if (typeof task_id !== "string") throw new UpstreamFailure(NAME, "bad_answer");
      if (mode !== "instant") return null;
      return (await moveToVip(task_id)) ? "vip" : "vip_failed";
    },
    lookUp: (call) => lookUpTwice(() => isListed(api, `${base}/list`, headers, call), lookupRetryMs),
  };
}

const DONE = 0;
const ALREADY_VIP = -4;

const ANSWERS: Answers = {
  1: "quota", // the balance is not enough
  2: "invalid_url",
  [-2]: "rate_limited", // overloaded
};

/**
 * How much of the list of tasks is searched: its newest pages, of 1,000 tasks each, and no task older than `MAX_AGE`.
 */
const MAX_PAGES = 5;
const MAX_AGE = 2 * DAY;

/** Whether the list has the task of a call. Null if the list is too long to tell. */
async function isListed(
  api: Api,
  list: string,
  headers: Readonly<Record<string, string>>,
  { reference }: ChannelCall,
): Promise<boolean | null> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(api, NAME, { method: "GET", url: `${list}/${page}`, headers });
    const { code, result, last_page: last } = objectIn(answer);
    if (answer.status !== 200 || code !== DONE) throw failureOf(api, NAME, answer, ANSWERS, code);
    if (!Array.isArray(result)) throw new UpstreamFailure(NAME, "bad_answer");
    if (result.some((task) => task?.title === reference)) return true;
    const { created_at: oldest } = Object(result.at(-1));
    const isLast = typeof last !== "number" || page >= last;
    const isTooOld = Date.parse(oldest) < api.clock.service() - MAX_AGE;
    if (isLast || isTooOld) return false;
  }
  return null;
}
