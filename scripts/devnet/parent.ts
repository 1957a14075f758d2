/** Resolves when the process that started this one has ended, and nobody is left who would end it. */
export function parentGone(): Promise<"parent"> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve("parent");
    }, 250);
    timer.unref();
  });
}
