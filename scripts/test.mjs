// `npm test [-- options of vitest]`: format, lint and types, then generated text, then every test, which need a browser
// and nginx, then the official MCP conformance suite. It stops at the first failure, with its exit code.
import { say } from "./apt.mjs";
import { ensureBrowser } from "./browser.mjs";
import { ensureNginx } from "./nginx.mjs";
import { build, install, run } from "./prepare.mjs";

const bin = (name) => `node_modules/.bin/${name}`;

install();
build();
run("npm", ["run", "-s", "check"], "the check failed; `npm run fix` mends formatting");
run(bin("tsx"), ["scripts/generate.ts", "--check"], "generated text is out of date");
ensureBrowser();
try {
  ensureNginx();
} catch (thrown) {
  say(thrown.message);
  process.exit(1);
}
run(bin("vitest"), ["run", ...process.argv.slice(2)], "tests failed");
if (process.argv.length === 2) run(process.execPath, ["scripts/conformance.mjs"], "MCP conformance is not as expected");
