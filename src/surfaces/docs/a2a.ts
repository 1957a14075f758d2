import { operations } from "../../../tools/index.ts";
import { type AnyOperation, isOfferedBy, isOn } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { SIZES } from "../../platform/sizes.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { operationPath } from "./operations/page.ts";
import { pageOf } from "./page.ts";

export function a2aDocument(config: Config): Document {
  const skills = operations.filter((operation) => isOn(operation, "a2a") && isOfferedBy(operation, config));
  return pageOf("/docs/a2a", config, {
    skills: table(
      ["skill", "text commands"],
      [...skills.map(rowOf), ["`watch_project`: Watch a project", "`watch {project_id}`"]],
    ),
    pushesPerTask: String(SIZES.pushConfigsPerTask),
    pushesPerAccount: String(SIZES.pushConfigsPerAccount),
  });
}

function rowOf({ name, title, skill }: AnyOperation): string[] {
  const lines = (skill.commands ?? []).map((line) => `\`${line}\``);
  return [`[\`${name}\`](${operationPath(name)}): ${title}`, lines.join("; ")];
}
