// `npm run devnet [-- OPTIONS]`: the local chain runs from the sources, with development dependencies.
import { install } from "./prepare.mjs";

install();
const { register } = await import("tsx/esm/api");
register();
await import("./devnet-run.ts");
