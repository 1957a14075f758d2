// A service in a process of its own: `node node.mjs FOLDER .js '{"leaseMs":3000}'`, where the folder is that of the
// sources or of what they compile to. Its settings are in the environment. It ends with the process that has started
// it, whose end closes its standard input.
process.stdin.on("end", () => process.exit(3)).resume();

const [folder, ending, given] = process.argv.slice(2);
const { leaseMs, round } = JSON.parse(given);
const { readConfig } = await import(`${folder}platform/config/config${ending}`);
const { createLog } = await import(`${folder}process/log${ending}`);
const { startService } = await import(`${folder}process/service${ending}`);
const { startRecurring } = await import(`${folder}platform/scheduler/recurring${ending}`);
const { startNotedRounds } = await import("./job-runs.mjs");

const config = readConfig();
const service = await startService(config, createLog(config), { leaseMs }).catch((thrown) => {
  // Whoever has started it tries again, as systemd does.
  if (thrown.name === "DatabaseUnavailable") process.exit(4);
  throw thrown;
});
process.stdout.write(`${JSON.stringify({ address: service.address })}\n`);
const stopRounds = startNotedRounds(startRecurring, service.instance.db, round);
process.once("SIGTERM", async () => {
  await stopRounds();
  await service.stop();
  process.exit();
});
