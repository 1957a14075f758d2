import type { Link } from "../../generated/shapes.ts";
import { type Command, countIn, onlyOperand, textIn, UsageError } from "../command.ts";
import { findingOf, wordOf } from "../findings.ts";
import { follow } from "../follow.ts";
import { projectText } from "../project-text.ts";
import { plainStream } from "../safe-terminal.ts";
import { table } from "../table.ts";

const STATES = ["waiting", "checking", "indexed", "not_indexed", "failed"];

export const status: Command = {
  name: "status",
  operands: "[PROJECT]",
  about: "Show a project, or the newest ones",
  options: {
    follow: { about: "Show the progress until each URL is decided" },
    limit: { value: "N", about: "How many projects; default: 20" },
  },
  async run(operands, values, context) {
    const { client, signal, width } = context;
    if (operands.length > 0) {
      const id = onlyOperand(operands, "PROJECT");
      if (values.follow) return follow(id, context);
      const project = await client.getProject({ project_id: id }, { signal });
      const groups = context.json ? [] : (await client.getReport({ project_id: id }, { signal })).groups;
      return { data: project, text: projectText(project, groups) };
    }
    if (values.follow) throw new UsageError("--follow needs a PROJECT.");
    const answer = await client.listProjects({ limit: countIn(values, "limit") ?? 20 }, { signal });
    const rows = answer.projects.map(({ id, name, status, counts }) => ({
      project: id,
      name,
      status,
      URLs: counts.total,
      "in Google or gone": counts.indexed,
      "still open": counts.waiting + counts.checking,
    }));
    return { data: answer, text: rows.length === 0 ? "There are no projects yet." : table(rows, width) };
  },
};

export const links: Command = {
  name: "links",
  operands: "PROJECT",
  about: "List the URLs of a project, each with its result",
  options: {
    csv: { about: "Print CSV with every column" },
    status: { value: "STATUS", about: `Only ${STATES.join(", ")}`, values: STATES },
  },
  async run(operands, values, { client, signal, width, out }) {
    const project_id = onlyOperand(operands, "PROJECT");
    const status = textIn(values, "status") as Link["status"] | undefined;
    const input = { project_id, ...(status === undefined ? {} : { status }) };
    if (values.csv) {
      for await (const lines of plainStream(await client.linksCsv(input, { signal }))) await out(lines);
      return undefined;
    }
    const links = await all(client.each("listLinks", input, { signal }));
    const rows = links.map((link) => ({
      url: link.url,
      result: wordOf(findingOf(link), link.credits === null),
      checked: link.checked_at?.slice(0, 10) ?? null,
      why: link.error_message,
    }));
    return { data: { links }, text: rows.length === 0 ? "There are none." : table(rows, width) };
  },
};

export const report: Command = {
  name: "report",
  operands: "PROJECT",
  about: "Sum up a project: what is in Google, what is not and why, and what it cost",
  options: {},
  async run(operands, _, { client, signal, width }) {
    const project_id = onlyOperand(operands, "PROJECT");
    const project = await client.getProject({ project_id }, { signal });
    const { groups, by_host, by_folder } = await client.getReport({ project_id }, { signal });
    const isCheck = project.kind === "check";
    const rows = groups.map(({ status, words, count }) => ({
      result: wordOf(status, isCheck),
      URLs: count,
      why: words,
    }));
    const why = rows.length === 0 ? "" : `\n\n${table(rows, width)}`;
    return { data: { project, groups, by_host, by_folder }, text: projectText(project, groups) + why };
  },
};

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}
