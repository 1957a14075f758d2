import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_TYPE_NAMES, EVENT_TYPES } from "../../domain/events/types.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { packageRoot } from "../../platform/package-root.ts";

/** A skill: instructions for an agent in Markdown, after a head that says when they are for (agentskills.io). */
export interface Skill {
  readonly name: string;
  /** All fields of its head. */
  readonly frontmatter: Readonly<Record<string, string>> & { readonly name: string; readonly description: string };
  /** The whole file. */
  readonly text: string;
  /** Of the file, `sha256:` and hexadecimal digits. */
  readonly digest: string;
}

const NAME = "beckon-indexing";

/** The file of a skill has this name, wherever it is. */
export const SKILL_FILE = `${NAME}/SKILL.md`;

/** Where agents look for the skills of a site (Agent Skills Discovery 0.2.0). */
export const SKILL_INDEX_PATH = "/.well-known/agent-skills/index.json";
export const SKILL_PATH = `/.well-known/agent-skills/${SKILL_FILE}`;

let skill: Skill | undefined;

/** How to use the operations, for agents. */
export function indexingSkill(): Skill {
  skill ??= read();
  return skill;
}

function read(): Skill {
  const text = readFileSync(join(packageRoot, "skills", SKILL_FILE), "utf8")
    .replaceAll("{first_check_day}", String(CHECK_DAYS.first))
    .replaceAll("{final_check_day}", String(CHECK_DAYS.final))
    .replace("{events}", eventTable());
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const fields = head.split("\n").map((line) => /^([\w-]+): (.+)$/.exec(line)!.slice(1));
  const frontmatter = Object.fromEntries(fields) as Skill["frontmatter"];
  return { name: frontmatter.name, frontmatter, text, digest: `sha256:${digestOf(text)}` };
}

/** What an agent does that is told of an event. What only people are told of is left out. */
function eventTable(): string {
  const rows = EVENT_TYPE_NAMES.filter((type) => !EVENT_TYPES[type].isPrivate && type !== "webhook.ping").map(
    (type) => `| \`${type}\` | ${EVENT_TYPES[type].next} |`,
  );
  return ["| event | what to do |", "| --- | --- |", ...rows].join("\n");
}

/** The index by which agents find it. */
export function skillIndex(siteUrl: string): object {
  const { frontmatter, digest } = indexingSkill();
  const { name, description } = frontmatter;
  return {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [{ name, type: "skill-md", description, url: `${siteUrl}${SKILL_PATH}`, digest }],
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
