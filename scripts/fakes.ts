import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AnchoredClock } from "../src/platform/clock.ts";
import { FAKES } from "../test/support/upstreams/index.ts";
import { startFakes } from "../test/support/upstreams/server.ts";
import { settingsFor, stripeSettingsFor } from "../test/support/upstreams/settings.ts";
import { demoSite } from "../test/support/upstreams/site.ts";
import { World } from "../test/support/upstreams/world.ts";

const SITE_URL = "https://beckon.localhost";

const HELP = `Usage: npm run fakes [-- --port N] [--time-scale N] [--env FILE]

Stands in for every search engine and provider, and for Stripe, on this machine alone: a live service talks to them as
it would to the real ones, with invented credentials. Prints the settings to paste, and runs until Ctrl-C.

--port N        port to listen on; default: 4010
--time-scale N  service seconds per real second, here and in the service; default: 8640, a day in ten seconds
--env FILE      writes the settings into a file as well, for a shell to read`;

try {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      "time-scale": { type: "string", default: "8640" },
      env: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) console.log(HELP);
  else {
    const port = wholeNumber("port", values.port, 65_535);
    await run({ port, scale: wholeNumber("time-scale", values["time-scale"], 1_000_000), file: values.env });
  }
} catch (thrown) {
  const { code, message } = thrown as NodeJS.ErrnoException;
  console.error(code === "EADDRINUSE" ? "fakes: the port is taken; choose another with --port" : `fakes: ${message}`);
  process.exitCode = code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1;
}

async function run({ port, scale, file }: { port: number; scale: number; file: string | undefined }): Promise<void> {
  const now = Date.now();
  const world = new World(new AnchoredClock({ realAt: now, serviceAt: now, scale }));
  const server = await startFakes(world, FAKES, { port, rest: demoSite });
  const folder = mkdtempSync(join(tmpdir(), "beckon-fakes-"));
  const { GOOGLE_SERVICE_ACCOUNT: keyFile = "", ...settings } = settingsFor(world, server);
  const keyPath = join(folder, "service-account.json");
  writeFileSync(keyPath, keyFile, { mode: 0o600 });
  const { PROVIDER_URLS: _, ...stripe } = stripeSettingsFor(
    world,
    server,
    `http://127.0.0.1:${port + 1}/webhooks/stripe`,
  );
  // Its dashboard shows the address at which the public would reach the service.
  world.stripe.webhook = { ...world.stripe.webhook!, listedAs: `${SITE_URL}/webhooks/stripe` };
  const { host } = new URL(server.origin);
  world.properties.set(`${server.origin}/`, "siteOwner");
  world.googlePeople.set("you@example.com", {
    subject: "100000000000000000001",
    properties: new Map([[`${server.origin}/`, "siteOwner"]]),
  });
  world.bingSites.add(`${server.origin}/`);
  world.yandexHosts.set(`http:${host}`, true);
  world.setIndexed(`${server.origin}/site/canary`, true);

  const environment = {
    PORT: String(port + 1),
    ENGINES: "live",
    SITE_URL,
    DATABASE_URL: `file:${join(folder, "beckon.db")}`,
    SECRETS_KEY: randomBytes(32).toString("base64url"),
    MAIL: `file:${join(folder, "mail")}`,
    BECKON_ALLOW_SANDBOX: "payment,clock",
    TIME_SCALE: String(scale),
    FETCH_ALLOW_CIDRS: "127.0.0.1/32",
    FETCH_ALLOW_PORTS: new URL(server.origin).port,
    CANARY_URLS: `${server.origin}/site/canary`,
    GOOGLE_SERVICE_ACCOUNT: keyPath,
    ...settings,
    ...stripe,
  };
  if (file !== undefined) writeFileSync(file, `${linesOf(environment)}\n`, { mode: 0o600 });
  console.log(instructions(server.origin, environment));
  const stop = () => {
    rmSync(folder, { recursive: true, force: true });
    void server.close();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
}

function linesOf(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value}'`)
    .join("\n");
}

function instructions(origin: string, environment: Readonly<Record<string, string>>): string {
  const { host } = new URL(origin);
  return `The fakes listen on ${origin}. Nothing here is real, and nothing leaves this machine.

1. In another terminal, paste the settings. The database and the key of the made-up service account go when this ends.

${linesOf(environment)}

2. Make an account with credits, and start the service:

npm run -s beckon -- account create --email you@example.com --paid --credits 1000 --key demo
npm start

3. With the API key of step 2, call add_site for ${host} twice: its key file is in place, whatever the key, and its
   pages go by every provider then. Without it they go by the resellers alone.
4. Submit pages of the demo site. Its sitemap is ${origin}/sitemap.xml; ${origin}/site/page-1 is a good page,
   and noindex, private, canonical, job, moved, gone, missing and broken show what their names say. A fate may be
   chosen, as in ${origin}/site/page-2?sandbox=never.
5. Buy credits with buy_credits: the payment link leads to a page of the fakes, which has a button for all that payers
   and banks may do, and tells the service by its webhook. It leads back to SITE_URL, where nothing listens here: go on
   at the address that npm start prints.

Ctrl-C ends the fakes.`;
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (value < 0 || value > most) throw new Error(`--${name}: "${text}" is not a whole number up to ${most}`);
  return value;
}
