import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { scratchFolder } from "../service/cli.ts";
import { certificate } from "./certificate.ts";

/** A package of the registry: its version, and what its tarball is. */
interface Published {
  readonly version: string;
  readonly tarball: Buffer;
  readonly integrity: string;
}

interface Registry {
  readonly url: string;
  /** Requests for tarballs so far. */
  readonly downloads: string[];
  /** Clients that are connected. */
  connected(): Promise<number>;
  /** Answers a download when it resolves; undefined: at once. */
  hold: Promise<void> | undefined;
  /** Publishes a package with these files. @returns its entry of a package-lock.json */
  publish(name: string, version: string, files?: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}

/** A registry that speaks npm's format (github.com/npm/registry, docs/REGISTRY-API.md), on a port of its own. */
export async function npmRegistry({ tls = false, tamper = (tarball: Buffer) => tarball } = {}): Promise<Registry> {
  const packages = new Map<string, Published>();
  const answer: RequestListener = async ({ url = "/" }, response) => {
    const [, name = "", tarball] = /^\/([^/]+)(?:\/-\/(.+))?$/.exec(decodeURIComponent(url)) ?? [];
    const found = packages.get(name);
    if (url.startsWith("/-/ping")) return response.end("{}");
    if (!found) return response.writeHead(404).end("{}");
    if (tarball) {
      registry.downloads.push(name);
      await registry.hold;
      return response.end(tamper(found.tarball));
    }
    const dist = { tarball: `${registry.url}${name}/-/${name}-${found.version}.tgz`, integrity: found.integrity };
    const versions = { [found.version]: { name, version: found.version, dist } };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: found.version }, versions }));
  };
  const server = tls ? createTlsServer(certificate(["localhost"]), answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const registry: Registry = {
    url: `http${tls ? "s" : ""}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    downloads: [],
    hold: undefined,
    connected: promisify(server.getConnections.bind(server)),
    publish(name, version, files = {}) {
      const folder = scratchFolder();
      const all = { "package.json": JSON.stringify({ name, version }), ...files };
      for (const [path, text] of Object.entries(all)) {
        const file = join(folder, "package", path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text, { mode: path.startsWith("bin/") ? 0o755 : 0o644 });
      }
      const tarball = execFileSync("tar", ["-czf", "-", "package"], { cwd: folder });
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      packages.set(name, { version, tarball, integrity });
      return { version, integrity };
    },
  };
  return registry;
}
