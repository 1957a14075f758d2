// Runs the service in a process of its own: `node node.mjs FOLDER '{"leaseMs":3000}'`, where FOLDER is the URL of the bundles
// (bundle-setup.ts). Settings come from the environment. It exits with the process that started it, whose end closes
// its standard input.
process.stdin.on("end", () => process.exit(3)).resume();

const [folder, given] = process.argv.slice(2);
const { leaseMs, round } = JSON.parse(given);
const { readConfig } = await import(`${folder}platform/config/config.js`);
const { createLog } = await import(`${folder}process/log.js`);
const { startService } = await import(`${folder}process/service.js`);
const { startRecurring } = await import(`${folder}process/scheduler/recurring.js`);
const { startNotedRounds } = await import("./job-runs.mjs");

const config = readConfig();
const service = await startService(config, createLog(config), { leaseMs }).catch((thrown) => {
  // The process that started it tries again, as systemd does.
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
