// `npm run fakes [-- --port N]`: the fake providers run from the sources, with development dependencies.
import { install } from "./prepare.mjs";

install();
const { register } = await import("tsx/esm/api");
register();
await import("./fakes-run.ts");
