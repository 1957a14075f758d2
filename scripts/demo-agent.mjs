// `npm run demo:agent`: the demo runs from the sources, with development dependencies.
import { install } from "./prepare.mjs";

install();
const { register } = await import("tsx/esm/api");
register();
await import("./demo-agent-run.ts");
