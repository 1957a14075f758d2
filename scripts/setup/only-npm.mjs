// Before a package manager installs: the lock is npm's.
import { say } from "./say.mjs";

const { npm_config_user_agent: agent = "npm/" } = process.env;
if (!agent.startsWith("npm/")) {
  say(
    `${agent.split(" ")[0]} does not read package-lock.json. Install Beckon with npm: \`npm start\` does what is needed.`,
  );
  process.exitCode = 1;
}
