/** Runs work every so many ms of real time. @returns a function that stops it */
export type RunEvery = (ms: number, work: () => Promise<void>) => () => void;

export const runEvery: RunEvery = (ms, work) => {
  const timer = setInterval(() => void work(), ms);
  timer.unref();
  return () => clearInterval(timer);
};
