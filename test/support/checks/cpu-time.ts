/**
 * Counts the CPU time of this process. Unlike the time on a clock, it does not grow while other processes have the
 * processor.
 * @returns tells how many ms it has used since
 */
export function cpuClock(): () => number {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000;
  };
}
