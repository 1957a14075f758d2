import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { type PostgresServer, startPostgres } from "../support/database/postgres-server.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { certificate } from "../support/network/certificate.ts";

/** Whose the key has to be where root starts the server. */
const NOBODY = 65_534;
let folder: string;
let signer: string;
let withTls: PostgresServer;
let without: PostgresServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beckon-tls-"));
  const { key, cert } = certificate(["localhost"]);
  const keyFile = join(folder, "server.key");
  signer = join(folder, "server.crt");
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(signer, cert);
  if (process.getuid?.() === 0) for (const path of [folder, keyFile, signer]) await chown(path, NOBODY, NOBODY);
  const tls = ["ssl=on", `ssl_cert_file=${signer}`, `ssl_key_file=${keyFile}`];
  [withTls, without] = await Promise.all([startPostgres({ settings: tls }), startPostgres()]);
});
afterAll(async () => {
  await Promise.all([withTls.stop(), without.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** What the process is warned of while `work` runs. */
async function warnings(work: () => Promise<void>): Promise<string[]> {
  const heard: string[] = [];
  const hear = ({ message }: Error) => void heard.push(message);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  await work();
  return heard;
}

function at(server: PostgresServer, sslmode: string, more = "", host = "localhost"): string {
  const url = new URL(server.url());
  url.hostname = host;
  return `${url.href}?sslmode=${sslmode}${more}`;
}

test.each(["require", "verify-ca", "verify-full"])(
  "sslmode=%s: encrypted to a server that its signer vouches for, and no warning of a library",
  async (mode) => {
    const heard = await warnings(async () => {
      const db = await openDatabase(at(withTls, mode, `&sslrootcert=${signer}`));
      await db.now();
      const secured =
        "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'beckon'";
      expect(await rawQuery(withTls.url(), secured)).toEqual([{ ssl: true }]);
      await db.close();
    });
    expect(heard).toEqual([]);
  },
);

test.each(["require", "verify-ca", "verify-full"])(
  "sslmode=%s: a certificate that nobody vouches for is refused, with what to do",
  async (mode) => {
    await expect(openDatabase(at(withTls, mode))).rejects.toThrow(
      "The certificate of PostgreSQL at localhost is not trusted: self-signed certificate. If it is signed by a CA of your own, name the CA's certificate in DATABASE_URL: sslrootcert=FILE.",
    );
  },
);

test("a certificate of another name, a server without TLS, a file that is missing: each named", async () => {
  const messageOf = async (url: string) =>
    openDatabase(url).then(
      () => "opened",
      ({ message }: Error) => message,
    );
  expect(await messageOf(at(withTls, "require", `&sslrootcert=${signer}`, "127.0.0.1"))).toMatch(
    /^The certificate of PostgreSQL at 127\.0\.0\.1 is not trusted: .*does not match certificate's altnames/,
  );
  expect(await messageOf(at(without, "require", "", "127.0.0.1"))).toBe(
    "PostgreSQL at 127.0.0.1 and this program do not agree on TLS: The server does not support SSL connections. Check sslmode in DATABASE_URL.",
  );
  expect(await messageOf(at(withTls, "require", "&sslrootcert=/nowhere.crt"))).toBe(
    "The file /nowhere.crt that DATABASE_URL names cannot be read (ENOENT).",
  );
});
