import { setTimeout as sleep } from "node:timers/promises";
import { type Block, type Chain, ChainUnreachable, WrongChain } from "./chain.ts";

/** How long to wait for slower nodes once enough have answered, in ms. */
const GRACE_MS = 500;

/**
 * A chain with several nodes. Of three or more nodes, a majority of all has to give the same answer; of two, those that
 * answer must not differ. All are queried about the same block, so that a node that lags cannot answer before it has
 * caught up.
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
  /** The highest block that enough nodes have reached; of several at that height, the one that most nodes have. */
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

/** The answers, once all nodes have answered, or a moment after enough have. */
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

/** Groups answers that are equal. */
function groupsOf<T>(answers: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of answers) {
    const name = JSON.stringify(one);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()];
}
