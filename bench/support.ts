import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `work` with a folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "beckon-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Cost {
  /** ms */
  readonly wall: number;
  /** ms of user and system time, all threads. */
  readonly cpu: number;
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const from = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(from);
  return { wall, cpu: (user + system) / 1000 };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

export const round = (value: number, digits = 1) => Number(value.toFixed(digits));

/** A page of a plausible site: about 90 characters, no two alike. */
export function pageUrl(index: number): string {
  const section = ["blog", "docs", "products", "archive/2025"][index % 4];
  return `https://www.example-${index % 7}.com/${section}/a-page-about-something-worth-reading-${index}.html`;
}
