import type { Config } from "../../config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, THEN } from "./begin.ts";

export function javascriptQuickstart(config: Config): Document {
  return {
    path: "/docs/quickstart/javascript",
    title: "JavaScript",
    summary: "A whole script for Node.js: submit once, wait when told to, print what became of each URL.",
    section: "Begin",
    markdown: page(
      "# JavaScript",
      `No library is needed. Save this as \`beckon.mjs\` and run it with Node.js 20 or newer, with the key in
\`BECKON_API_KEY\`. With the id of a project it shows that project; without one it makes one.`,
      keyAdvice(config),
      fenced("js", javascriptScript(config.siteUrl)),
      `A repeated call with the same \`Idempotency-Key\` answers what the first one did, so that the script may try again after
a lost connection. It tries again by itself only where the answer says when, in \`Retry-After\`.`,
      "## Then",
      THEN,
    ),
  };
}

function javascriptScript(siteUrl: string): string {
  return `const base = "${siteUrl}/api/v1";

async function call(path, { method = "GET", body, headers = {} } = {}) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(base + path, {
      method,
      headers: {
        Authorization: \`Bearer \${process.env.BECKON_API_KEY}\`,
        ...(body ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    const wait = response.headers.get("Retry-After");
    const { code, message, docs } = answer.error;
    if (wait === null || attempt === 3) throw new Error(\`\${code}: \${message} See \${docs}\`);
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

async function submit(urls) {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const { project, credits_spent, balance } = await call("/projects", { method: "POST", body: { urls }, headers });
  console.log(\`\${project.id}: \${credits_spent} credits spent, \${balance} left\`);
  return project.id;
}

const id = process.argv[2] ?? (await submit(["https://example.com/", "https://example.com/about"]));
const { status, counts } = await call(\`/projects/\${id}\`);
console.log(status, counts);
const { links } = await call(\`/projects/\${id}/links\`);
for (const link of links) console.log(link.status.padEnd(12), link.url);`;
}
