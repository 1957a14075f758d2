import { formatCount, formatNumber } from "../../../platform/format.ts";
import type { EventData } from "../../events/types.ts";
import { lineOf, switchable, type Unsubscribable } from "../layout/notice.ts";
import type { Mail } from "../mailer.ts";

/** Projects that one mail lists. */
const LISTED = 20;

type Completed = EventData["project.completed"];

/** The mail that one project is completed, or several are. */
export function projectsCompleted(notice: Unsubscribable, projects: readonly Completed[]): Mail {
  const [first, ...others] = projects;
  if (first && others.length === 0) return projectCompleted(notice, first);
  const total = (count: (project: Completed) => number) => projects.reduce((sum, project) => sum + count(project), 0);
  const listed = projects.slice(0, LISTED).map((project) => [lineOf(project.name), resultOf(project)] as const);
  const left = projects.length - listed.length;
  return switchable(notice, "projects", `${formatCount(projects.length, "project")} completed`, [
    `${formatNumber(total(({ counts }) => counts.indexed))} of ${formatCount(
      total(({ counts }) => counts.total),
      "URL",
    )} are in Google. ${returnedText(total(({ credits_returned: returned }) => returned))}`,
    { facts: listed },
    ...(left > 0 ? [`And ${formatCount(left, "more project")}.`] : []),
    { link: `${notice.siteUrl}/dashboard/projects`, label: "See the projects" },
  ]);
}

function projectCompleted(notice: Unsubscribable, project: Completed): Mail {
  const { project_id: id, kind, counts, credits_spent: spent, credits_returned: returned } = project;
  const what = kind === "check" ? "check" : "project";
  const { total, indexed, not_indexed: notIndexed, failed } = counts;
  return switchable(notice, "projects", `Completed: ${lineOf(project.name)}`, [
    `Every URL of your ${what} “${lineOf(project.name)}” is decided: ${formatNumber(indexed)} of ${formatNumber(total)} ${indexed === 1 ? "is" : "are"} in Google. ${returnedText(returned)}`,
    {
      facts: [
        ["URLs", formatNumber(total)],
        ["In Google", formatNumber(indexed)],
        ["Not in Google", formatNumber(notIndexed)],
        [kind === "check" ? "Not looked up or unknown" : "Not sent or unknown", formatNumber(failed)],
        ["Credits spent", formatNumber(spent)],
        ["Credits returned", formatNumber(returned)],
      ],
    },
    { link: `${notice.siteUrl}/dashboard/projects/${id}`, label: `See the ${what}` },
  ]);
}

function resultOf({ counts: { indexed, total } }: Completed): string {
  return `${formatNumber(indexed)} of ${formatNumber(total)} in Google`;
}

function returnedText(credits: number): string {
  return credits === 0 ? "No credits were returned." : `${formatCount(credits, "credit")} came back to your balance.`;
}
