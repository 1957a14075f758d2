/** Resolves when the parent process has ended, so that this process is not left running. */
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
