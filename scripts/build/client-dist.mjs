// Before the client package is packed for a registry: packages/client/dist.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/folders.mjs";
import { writeModules } from "./client.mjs";

const target = join(root, "packages/client/dist");
rmSync(target, { recursive: true, force: true });
writeModules(target);
