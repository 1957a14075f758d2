// Makes this process report its CPU time, in µs since the last reset, and its memory whenever its parent asks; "collect" collects
// garbage first. Plain JavaScript, so that the service as it is installed can load it with `--import`.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let from = process.cpuUsage();
process.on("message", (message) => {
  const { user, system } = process.cpuUsage(from);
  if (message === "reset") from = process.cpuUsage();
  const rssBytes = process.memoryUsage.rss();
  if (message === "collect") {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ cpuUs: user + system, rssBytes, liveBytes: heapUsed + external });
});
process.on("disconnect", () => process.exit());
