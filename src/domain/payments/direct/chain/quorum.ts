import { setTimeout as sleep } from "node:timers/promises";
import { type Block, type Chain, ChainUnreachable, WrongChain } from "./chain.ts";

/** How long slower nodes are waited for once enough have answered, in ms. */
const GRACE_MS = 500;

/**
 * A chain behind several nodes. Of three or more, a majority of all has to answer the same; of two, those that answer
 * must not differ. All are asked about the same block, so that one which is behind cannot answer until it has caught up.
 *
 * viem's `fallback` transport asks the next node only when one fails, and takes what the first one says; agreement is
 * not among its options.
 */
export function quorumOf(nodes: readonly Chain[]): Chain {
  const quorum = nodes.length < 3 ? 1 : Math.floor(nodes.length / 2) + 1;

  const ask = async <T>(question: (node: Chain) => Promise<T>): Promise<readonly T[]> => {
    const { answers, failures } = await answersOf(nodes.map(question), quorum);
    if (answers.length >= quorum) return answers;
    const wrong = failures.filter((one) => one instanceof WrongChain);
    throw wrong.length > nodes.length - quorum ? wrong[0] : tooFew(answers.length);
  };
  const agreed = async <T>(question: (node: Chain) => Promise<T>): Promise<T> => {
    const answers = await ask(question);
    const same = groupsOf(answers).find((group) => group.length >= quorum);
    const isDisputed = nodes.length === 2 && same?.length !== answers.length;
    if (!same || isDisputed) throw new ChainUnreachable("The nodes of the chain do not agree.");
    return same[0]!;
  };
  /** The block of the greatest height that enough nodes have reached; of several there, the one that most have. */
  const reached = async (question: (node: Chain) => Promise<Block>): Promise<Block> => {
    const blocks = [...(await ask(question))].sort((one, other) => other.number - one.number);
    const groups = groupsOf(blocks.filter(({ number }) => number === blocks[quorum - 1]!.number));
    return groups.sort((one, other) => other.length - one.length)[0]![0]!;
  };
  const tooFew = (count: number) =>
    new ChainUnreachable(`Of ${nodes.length} nodes of the chain ${count} answer; it takes ${quorum}.`);

  return {
    latest: () => reached((node) => node.latest()),
    final: () => reached((node) => node.final()),
    authorizationState: (search) => agreed((node) => node.authorizationState(search)),
    verify: async (block) => void (await ask((node) => node.verify(block))),
    token: () => agreed((node) => node.token()),
  };
}

interface Answers<T> {
  readonly answers: readonly T[];
  readonly failures: readonly unknown[];
}

/** What has been answered when all have, or a moment after enough have. */
async function answersOf<T>(asked: readonly Promise<T>[], enough: number): Promise<Answers<T>> {
  const answers: T[] = [];
  const failures: unknown[] = [];
  const timer = new AbortController();
  let grace: (value?: unknown) => void;
  const afterGrace = new Promise((resolve) => {
    grace = resolve;
  });
  const all = asked.map(async (one) => {
    try {
      answers.push(await one);
    } catch (thrown) {
      failures.push(thrown);
    }
    if (answers.length === enough) sleep(GRACE_MS, undefined, { signal: timer.signal }).then(grace, grace);
  });
  await Promise.race([Promise.all(all), afterGrace]);
  timer.abort();
  return { answers: [...answers], failures: [...failures] };
}

/** Answers that say the same, together. */
function groupsOf<T>(answers: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of answers) {
    const name = JSON.stringify(one);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()];
}
