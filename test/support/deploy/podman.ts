import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A Podman with a storage of its own, which is removed with everything in it when it is closed. */
export interface Podman {
  /** Runs a command of it. @returns standard output @throws Error with standard error */
  (...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Options of `podman run` for machines without systemd, or where control groups and limits cannot be set. */
export const RUN_ANYWHERE: readonly string[] = [
  "--cgroups=disabled",
  "--ulimit=nofile=4096:4096",
  "--ulimit=nproc=4096:4096",
  // A timer of systemd would check it; the test does so itself.
  "--health-interval=disable",
];

export async function openPodman(): Promise<Podman> {
  const folder = mkdtempSync(join(tmpdir(), "beckon-podman-"));
  const namespace = await namespaceWithoutOldGroups();
  const before = namespace ? ["nsenter", `--target=${namespace.pid}`, "--mount", "podman"] : ["podman"];
  // Copies of trees (vfs) are slower than layers on top of each other, and work on every file system.
  const store = [`--root=${folder}/storage`, `--runroot=${folder}/run`, "--storage-driver=vfs"];
  const command = [...before, ...store, "--cgroup-manager=cgroupfs", "--events-backend=file", "--log-level=error"];
  const podman = async (...args: readonly string[]) => {
    const { stdout } = await execute(command[0]!, [...command.slice(1), ...args], { maxBuffer: 2 ** 26 });
    return stdout;
  };
  const close = async () => {
    await podman("rm", "--force", "--all", "--time=0").catch(() => undefined);
    await podman("volume", "rm", "--force", "--all").catch(() => undefined);
    await podman("rmi", "--force", "--all").catch(() => undefined);
    if (namespace) {
      namespace.kill("SIGKILL");
      await once(namespace, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  return Object.assign(podman, { close });
}

/**
 * A process whose mounts have the control groups of version 2 alone: with both versions together, as on older
 * machines, the runtime refuses to start anything. null: this machine does not need it.
 */
async function namespaceWithoutOldGroups(): Promise<ChildProcess | null> {
  if (process.getuid?.() !== 0 || !existsSync("/sys/fs/cgroup/unified")) return null;
  const script = "mount -t cgroup2 none /sys/fs/cgroup && echo ready && exec sleep infinity";
  const holder = spawn("unshare", ["--mount", "sh", "-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  await Promise.race([
    once(holder.stdout, "data"),
    once(holder, "exit").then(() => Promise.reject(new Error("there is no namespace for mounts"))),
  ]);
  return holder;
}
