// `npm run audit [-- --offline]`: it runs from the sources, with development dependencies.
import { install } from "./prepare.mjs";

install();
const { register } = await import("tsx/esm/api");
register();
await import("./audit-run.ts");
