import { SessionEnded } from "./domain.ts";

/** Does what a form asks for. @param answerEnded answers where its session has ended meanwhile; nothing was done then */
export async function unlessEnded(act: () => void | Promise<void>, answerEnded: () => void): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    if (!(thrown instanceof SessionEnded)) throw thrown;
    answerEnded();
  }
}
