import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { fenced, page } from "../markdown.ts";
import { keyAdvice, NEXT_STEPS } from "./shared-text.ts";

export function javascriptQuickstart(config: Config): Document {
  return {
    path: "/docs/quickstart/javascript",
    title: "JavaScript",
    summary: "A complete script for Node.js that submits URLs safely and prints the status of each.",
    section: "Get started",
    markdown: page(
      "# JavaScript",
      `You need no library. Save this script as \`beckon.mjs\` and run it with Node.js 20 or newer, with the API key in
\`BECKON_API_KEY\`. Without an argument it creates a project; with the id of a project it shows that project.`,
      keyAdvice(config),
      fenced("js", javascriptScript(config.siteUrl)),
      `For 24 hours, a call with the same \`Idempotency-Key\` gets the first answer again. So the script can safely retry when no
answer arrives, and wait as long as \`Retry-After\` says, up to four times in all. It makes the key from the list and the
date (UTC): run again on the same day with the same list, it prints the first answer and spends nothing; on another day
it creates a new project and pays for it.`,
      "## Next steps",
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
