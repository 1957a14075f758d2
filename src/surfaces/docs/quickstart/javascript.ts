import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

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
      `A repeated call with the same \`Idempotency-Key\` answers what the first one did, for 24 hours. So the script may try
again when no answer comes, up to four times in all, and as an answer says in \`Retry-After\`. Its key is made of the
list and the date: run again on the same day with the same list, it prints the first answer and spends nothing; on
another day, in UTC, it is a new project, which is paid for again.`,
      "## Then",
      NEXT_STEPS,
    ),
  };
}

function javascriptScript(siteUrl: string): string {
  return `const base = "${siteUrl}/api/v1";
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function call(path, { method = "GET", body, headers = {} } = {}) {
  for (let attempt = 1; ; attempt++) {
    let response;
    let answer;
    try {
      response = await fetch(base + path, {
        method,
        headers: {
          Authorization: \`Bearer \${process.env.BECKON_API_KEY}\`,
          ...(body ? { "Content-Type": "application/json" } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      answer = await response.json();
    } catch (error) {
      // Nobody knows whether it arrived. With the same key it may be sent again.
      if (attempt === 4) throw error;
      await pause(attempt);
      continue;
    }
    if (response.ok) return answer;
    const wait = response.headers.get("Retry-After");
    const { code, message, docs } = answer.error;
    if (wait === null || attempt === 4) throw new Error(\`\${code}: \${message} See \${docs}\`);
    await pause(wait);
  }
}

// The same for the same list on the same day, UTC.
async function keyOf(urls) {
  const text = JSON.stringify([new Date().toISOString().slice(0, 10), urls]);
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
}

async function submit(urls) {
  const headers = { "Idempotency-Key": await keyOf(urls) };
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
