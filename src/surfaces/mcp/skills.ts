import { ProtocolError, ProtocolErrorCode, type Resource, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { indexingSkill, SKILL_FILE } from "../install/skill.ts";
import { refuseCursor } from "./cursor.ts";

/** The extension by which servers offer skills (SEP-2640). Its files are resources, also for clients that do not know it. */
export const SKILLS = { "io.modelcontextprotocol/skills": {} };

const URI = `skill://${SKILL_FILE}`;

const TYPE = "text/markdown";

/** The skill as a resource. */
export function skillResource(): Resource {
  const { name, description } = indexingSkill().frontmatter;
  return { uri: URI, name, description, mimeType: TYPE };
}

/** The contents of a URI; undefined: it is no skill's. */
export function skillAt(uri: string): { uri: string; mimeType: string; text: string } | undefined {
  return uri === URI ? { uri, mimeType: TYPE, text: indexingSkill().text } : undefined;
}

/** Answers the methods of the extension. The skill is the same for everybody, and changes only with a release. */
export function serveSkills(server: Server): void {
  const shape = { params: z.looseObject({ cursor: z.string().optional() }).optional() };
  server.setRequestHandler("skills/list", { params: shape.params }, async (params) => {
    refuseCursor(params?.cursor);
    return { skills: [entry()], ...CACHED };
  });
  server.setRequestHandler("skills/get", { params: z.looseObject({ uri: z.string() }) }, async ({ uri }) => {
    if (uri !== URI)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such skill. See skills/list.");
    return { skill: entry(), ...CACHED };
  });
}

const CACHED = { resultType: "complete", ttlMs: 5 * 60_000, cacheScope: "public" } as const;

function entry(): object {
  const { frontmatter, digest, text } = indexingSkill();
  return { uri: URI, frontmatter, resources: [{ uri: URI, digest, size: Buffer.byteLength(text) }] };
}
