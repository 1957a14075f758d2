// Moves the write-ahead log of a database into the file every second, as the service's thread for large calls does
// (src/process/bulk/thread.ts), so that no commit has to.
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

const db = new Database(workerData);
const timer = setInterval(() => db.pragma("wal_checkpoint(PASSIVE)"), 1_000);
parentPort.once("message", () => {
  clearInterval(timer);
  db.close();
});
