import type { Project } from "../generated/shapes.ts";
import { pause } from "../retry.ts";
import type { Context, Result } from "./command.ts";
import { progressText, projectText } from "./project-text.ts";

/** Times between two reads, in ms: the first changes come soon, the last ones after days. */
const INTERVALS = [2_000, 5_000, 10_000, 30_000];

/**
 * Shows the progress of a project until each URL is decided: for people on one line that is rewritten, as JSON a line for each
 * change.
 */
export async function follow(projectId: string, context: Context): Promise<Result | undefined> {
  const { client, json, isOutputTerminal, signal } = context;
  let shown = "";
  for (let reads = 0; ; reads++) {
    const project = await client.getProject({ project_id: projectId }, { signal });
    const line = json ? JSON.stringify(project) : progressText(project);
    if (line !== shown) await (json || !isOutputTerminal ? context.out(`${line}\n`) : context.redraw(line));
    shown = line;
    if (project.status === "completed") return ended(project, context);
    await pause(INTERVALS[Math.min(Math.floor(reads / 5), INTERVALS.length - 1)]!, signal);
  }
}

async function ended(project: Project, context: Context): Promise<Result | undefined> {
  const { client, json, isOutputTerminal, redraw, signal } = context;
  if (json) return undefined;
  if (isOutputTerminal) await redraw("");
  const { groups } = await client.getReport({ project_id: project.id }, { signal });
  return { data: project, text: projectText(project, groups) };
}
