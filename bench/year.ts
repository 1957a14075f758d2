import { ASSUMED, LIST_PRICES, MEASURED } from "./figures.ts";
import { round } from "./support.ts";

export interface Month {
  readonly month: number;
  /** Links ever submitted. */
  readonly links: number;
  /** Bytes. */
  readonly rows: number;
  readonly index: number;
  readonly evidence: number;
  readonly others: number;
  readonly wal: number;
  /** In the queue at the end. */
  readonly openSteps: number;
}

const DAYS = 365 / 12;
const DAY_SECONDS = 86_400;

/** Storage and log of each month of a year, from the measured figures alone. */
export function monthsOfAYear(): Month[] {
  const { links, months, growthPercent, daysOpen, linksPerStep } = ASSUMED;
  const { bytes, walBytes } = MEASURED.life;
  const { bytesPerStep } = MEASURED.queue;
  const weights = Array.from({ length: months }, (_, month) => (1 + growthPercent / 100) ** month);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let total = 0;
  return weights.map((weight, at) => {
    const fresh = (links * weight) / all;
    total += fresh;
    const openSteps = (fresh * daysOpen) / DAYS / linksPerStep;
    return {
      month: at + 1,
      links: total,
      rows: total * bytes.links,
      index: total * bytes.index,
      evidence: total * bytes.evidence,
      others: total * (bytes.urlSets + bytes.ledger) + openSteps * bytesPerStep,
      wal: fresh * (walBytes.submission + walBytes.life),
      openSteps,
    };
  });
}

export function simulateYear() {
  const months = monthsOfAYear();
  const giga = (bytes: number) => round(bytes / 1e9, 0);
  const storage = months.map((month) => ({
    month: month.month,
    "links, millions": round(month.links / 1e6, 0),
    "rows GB": giga(month.rows),
    "index GB": giga(month.index),
    "evidence GB": giga(month.evidence),
    "others GB": giga(month.others),
    "all GB": giga(month.rows + month.index + month.evidence + month.others),
    "WAL GB": giga(month.wal),
    "steps in the queue": Math.round(month.openSteps),
  }));
  return {
    tables: [
      { title: "Storage at the end of each month, and the write-ahead log of it", rows: storage },
      { title: "Load", rows: load(months) },
      { title: "Upstreams, at list prices, if one provider did it all", rows: upstreams() },
      { title: "Credits", rows: credits() },
    ],
  };
}

function load(months: readonly Month[]) {
  const { links, peak, busy, backupRate, walDays } = ASSUMED;
  const { life, checker } = MEASURED;
  const perSecond = links / (365 * DAY_SECONDS);
  const cores = (us: number) => (perSecond * us) / 1e6;
  const node = life.cpuUs.submissionNode + life.cpuUs.lifeNode;
  const server = life.cpuUs.submissionServer + life.cpuUs.lifeServer;
  const last = months.at(-1)!;
  const bytes = last.rows + last.index + last.evidence + last.others;
  const checks = perSecond * life.checks;
  const rows: [what: string, average: number | string, peak: number | string][] = [
    ["links submitted per second", round(perSecond), round(perSecond * peak)],
    [
      "submissions of 10,000 per hour",
      round((perSecond * 3600) / 10_000, 0),
      round((perSecond * 3600 * peak) / 10_000, 0),
    ],
    ["checks per second", round(checks), round(checks * peak)],
    [
      "steps done per second",
      round((perSecond * life.steps) / 500, 2),
      round((perSecond * life.steps * peak) / 500, 2),
    ],
    ["of the measured rate of one node, %", share(checks, checker), share(checks * peak, checker)],
    ["cores of nodes", round(cores(node), 2), round(cores(node) * peak, 2)],
    ["cores of PostgreSQL", round(cores(server), 2), round(cores(server) * peak, 2)],
    ["nodes of two cores that this needs", "", Math.max(1, Math.ceil((cores(node) * peak) / 2 / busy))],
    [
      "WAL, MB per second",
      round(last.wal / DAYS / DAY_SECONDS / 1e6, 2),
      round((last.wal * peak) / DAYS / DAY_SECONDS / 1e6, 2),
    ],
    [`WAL kept for ${walDays} days, GB`, round(((last.wal / DAYS) * walDays) / 1e9, 0), ""],
    ["a base backup at the end of the year, hours", round(bytes / backupRate / 3600, 2), ""],
  ];
  return rows.map(([what, average, most]) => ({ what, average, [`peak (× ${peak})`]: most }));
}

function share(checks: number, { linksPerSecond }: { linksPerSecond: number }): number {
  return round((checks / linksPerSecond) * 100);
}

function upstreams() {
  const { checks, checksThatFound } = MEASURED.life;
  const millions = (dollarsPerLink: number) => round((dollarsPerLink * ASSUMED.links) / 1e6, 2);
  const submit = Object.entries(LIST_PRICES.submit).map(([provider, price]) => ({
    provider,
    does: "hands over to Google, once",
    "$ per link": price,
    "million $": millions(price),
  }));
  const lookup = Object.entries(LIST_PRICES.lookup).map(([provider, { unit, found, nothing }]) => {
    const price = unit * (checksThatFound * found + (checks - checksThatFound) * nothing);
    return { provider, does: `looks up, ${checks} times`, "$ per link": round(price, 4), "million $": millions(price) };
  });
  return [...submit, ...lookup];
}

function credits() {
  const { links, credit } = ASSUMED;
  const kept = MEASURED.life.checksThatFound / 2;
  const dollars = (count: number) => round((count * credit) / 1e6, 1);
  return [
    { what: "spent", millions: links / 1e6, "million $ in the largest pack": dollars(links) },
    {
      what: "given back",
      millions: round((links * (1 - kept)) / 1e6, 0),
      "million $ in the largest pack": dollars(links * (1 - kept)),
    },
    { what: "kept", millions: round((links * kept) / 1e6, 0), "million $ in the largest pack": dollars(links * kept) },
  ];
}
