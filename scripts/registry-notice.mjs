// Runs beside `npm install`, which prints nothing while it tries a registry that it cannot reach, for minutes.
// After some seconds this says so. The argument is the delay, in ms.
import { spawnSync } from "node:child_process";

/** Error codes of npm for a registry that cannot be reached; any other failure of the ping says nothing about that. */
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E\w*TIMED?_?OUT)\b/;

setTimeout(() => {
  const ping = spawnSync("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=10000"], { encoding: "utf8" });
  const reason = ping.status === 0 ? null : UNREACHABLE.exec(ping.stderr)?.[0];
  if (!reason) return;
  const registry = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
  process.stderr.write(
    `beckon: waiting for the package registry ${registry}, which does not answer (${reason}); npm tries again for some minutes. Check the network and the proxy settings, or set npm_config_registry to a registry within reach.\n`,
  );
}, Number(process.argv[2]));
