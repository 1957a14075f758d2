// `npm run chaos [-- OPTIONS]`: nodes from dist/, the rest from the sources, with development dependencies.
import { build, install } from "./prepare.mjs";

install();
build();
const { register } = await import("tsx/esm/api");
register();
await import("./chaos-run.ts");
