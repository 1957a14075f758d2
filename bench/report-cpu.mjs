// Makes this process report its CPU time, in µs since the last reset, and its resident memory whenever its parent asks. Plain
// JavaScript, so that the service as it is installed can load it with `--import`.
let from = process.cpuUsage();
process.on("message", (message) => {
  const { user, system } = process.cpuUsage(from);
  if (message === "reset") from = process.cpuUsage();
  process.send({ cpuUs: user + system, rssBytes: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit());
