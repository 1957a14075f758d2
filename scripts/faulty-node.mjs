// `npm run faulty-node [-- OPTIONS STEP...]`: the proxy runs from the sources, with development dependencies.
import { install } from "./prepare.mjs";

install();
const { register } = await import("tsx/esm/api");
register();
await import("./faulty-node-run.ts");
