// `npm run build`: dist/.
import { build } from "./build/build.mjs";
import { prepare } from "./setup/prepare.mjs";
import { orExplain } from "./setup/say.mjs";

await prepare({ built: false });
await orExplain(build());
