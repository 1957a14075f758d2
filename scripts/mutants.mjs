// `npm run mutants [-- FILE …]`: changes the files where money, access and truth are decided in every small way that Stryker knows,
// and fails where no test notices and test/mutation/survivors.ts does not say why.
import { installOwn } from "./setup/install.mjs";
import { prepare } from "./setup/prepare.mjs";
import { orExplain } from "./setup/say.mjs";

await prepare({ tests: true, built: false });
await orExplain(installOwn("test/mutation"));
const { register } = await import("tsx/esm/api");
register();
await import("../test/mutation/run.ts");
