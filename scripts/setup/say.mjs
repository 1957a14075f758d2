/** A problem that whoever starts Beckon can solve; its message says how. */
export class SetupError extends Error {}

/** Preparations write to standard error: standard output belongs to the command that follows them. */
export function say(text) {
  process.stderr.write(`beckon: ${text}\n`);
}

const said = new Set();

/** What several installations have to say at the same time is said by the first. */
export function sayOnce(text) {
  if (!said.has(text)) say(text);
  said.add(text);
}

/** Waits for work. A SetupError ends the process with exit code 1 and its message, any other error with a stack trace. */
export async function orExplain(work) {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof SetupError)) throw thrown;
    say(thrown.message);
    process.exit(1);
  }
}
