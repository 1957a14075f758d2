import { execFile } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENT, client, userOf } from "../../../support/client/beckon-client.ts";
import { scratchFolder } from "../../../support/service/cli.ts";
import { type TestService, testService } from "../../../support/service/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

const PERSON = { isOutputTerminal: true };
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

async function user(account: Parameters<TestService["account"]>[0] = { credits: 500 }) {
  const { key } = await service.account(account);
  return userOf(service.url, key);
}

async function submitted(env: Awaited<ReturnType<typeof user>>, count = 3, ...args: string[]): Promise<string> {
  return (await client(env, ["submit", ...urls(count), "--drip-days", "3", ...args])).json().project.id;
}

test("submit sends URLs and says what they cost, as JSON or for people", async () => {
  const env = await user();
  const { code, json } = await client(env, ["submit", ...urls(2), "--name", "Two", "--no-bing"]);
  expect(code).toBe(0);
  expect(json()).toMatchObject({ credits_spent: 2, project: { name: "Two", engines: { bing: false, yandex: true } } });
  const { out } = await client(env, ["submit", ...urls(1), urls(1)[0]!], PERSON);
  expect(out).toMatch(/^project +prj_\w+\nname +example.com\n/);
  expect(out).toContain("Left out: 0 invalid, 1 duplicate.\nBalance: 497 credits.\nFollow it: beckon status prj_");
});

const LIST = `${urls(3).join("\r\n")}\r\n\r\n# old ones\r\n`;

test.each([
  ["a list with the line ends of Windows", Buffer.from(LIST)],
  ["a list with a byte order mark", Buffer.from(`\ufeff${LIST}`)],
  ["a list in UTF-16", Buffer.from(`\ufeff${LIST}`, "utf16le")],
  ["a list without a last line end", Buffer.from(urls(3).join("\n"))],
])("submit reads %s from a file, and from standard input", async (_, stdin) => {
  const env = await user();
  const file = join(scratchFolder(), "urls.txt");
  writeFileSync(file, stdin);
  for (const operand of [file, "-"]) {
    const { json, err } = await client(env, ["submit", operand], { stdin });
    expect([json().urls_accepted, json().invalid, err]).toEqual([3, 0, ""]);
  }
});

const INDEX = "<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>";

test.each([
  ["a missing file", ["gone.txt"], "", '"gone.txt" is neither a URL'],
  ["no URL", [], "", "No URL is given"],
  ["an empty list", ["-"], "\n\n", "No URL is given"],
  ["too many lines", ["-"], "https://example.com/\n".repeat(20_001), "more than 20,000 URLs"],
  ["a file that is no list", ["-"], "x".repeat(40_000), "Standard input: Line 1: xxx"],
  ["a sitemap index", ["-"], INDEX, "it lists 1 sitemap and no page"],
  ["an address without a scheme", ["www.example.com/a"], "", "With --add-https it is https://www.example.com/a"],
  [
    "a sitemap and URLs",
    ["https://example.com/", "--sitemap", "https://example.com/s.xml"],
    "",
    "Give either --sitemap",
  ],
  ["a wrong mode", ["https://example.com/", "--mode", "fast"], "", "--mode: one of standard, instant"],
  ["a wrong option", ["https://example.com/", "--fast"], "", "Unknown option '--fast'"],
])("submit: 2 for %s, and nothing is spent", async (_, args, stdin, words) => {
  const env = await user();
  const { code, err } = await client(env, ["submit", ...args], { stdin: Buffer.from(stdin) });
  expect(code).toBe(2);
  expect(err.replaceAll("\n", " ")).toContain(words);
  expect((await client(env, ["credits"])).json().account.credits).toBe(500);
});

test("submit reads a table, says which column and what was left out, and offers https", async () => {
  const env = await user();
  const stdin = Buffer.from(
    "Page;Clicks\nhttps://example.com/a.html;3\nhttp://localhost/b;2\nwww.example.com/c;1\nhttps://example.com/a.html;1\n",
  );
  const { json, err } = await client(env, ["submit", "-"], { stdin });
  expect(json()).toMatchObject({ urls_accepted: 1, invalid: 2, duplicates: 1, credits_spent: 1 });
  expect(json().invalid_examples).toEqual(["http://localhost/b", "www.example.com/c"]);
  expect(err.split("\n")).toEqual([
    "Standard input: Read from the column “Page”, number 1 of 2.",
    "Standard input: Line 3: http://localhost/b (its host is in a private network)",
    "Standard input: 1 line does not say https://, such as line 4: www.example.com/c. Add --add-https to submit them.",
    "",
  ]);
  const more = await client(env, ["submit", "-", "www.example.com/d", "--add-https"], { stdin });
  expect(more.json()).toMatchObject({ urls_accepted: 3, invalid: 1, duplicates: 1 });
});

test("submit reads a sitemap from a file", async () => {
  const file = join(scratchFolder(), "sitemap.xml");
  writeFileSync(
    file,
    "<urlset><url><loc>https://example.com/?a=1&#038;b=2</loc></url><!-- <url><loc>https://example.com/no</loc></url> --></urlset>",
  );
  const { json } = await client(await user(), ["submit", file]);
  expect(json()).toMatchObject({ urls_accepted: 1, invalid: 0 });
});

test("exit 2 for a file of 200 MB that is no list, before it is read", async () => {
  const file = join(scratchFolder(), "large.txt");
  writeFileSync(file, "");
  truncateSync(file, 200_000_000);
  const { code, err } = await client(await user(), ["submit", file]);
  expect([code, err.replaceAll("\n", " ")]).toEqual([2, expect.stringContaining("is not a list of URLs")]);
});

test("submit reads no more of an endless input than it needs", async () => {
  let chunks = 0;
  async function* endless() {
    for (;;) {
      chunks++;
      yield Buffer.from("https://example.com/\n".repeat(1_000));
    }
  }
  const { code } = await client(await user(), ["submit", "-"], { input: endless() });
  expect([code, chunks]).toEqual([2, 21]);
});

test("--dry-run and --max-credits spend nothing where it would cost more", async () => {
  const env = await user();
  const dry = await client(env, ["submit", ...urls(4), "--mode", "instant", "--dry-run"]);
  expect(dry.json()).toMatchObject({ urls: 4, credits: 12 });
  const { code, err } = await client(env, ["submit", ...urls(4), "--max-credits", "3"]);
  expect([code, err]).toEqual([2, expect.stringContaining("It would cost 4 credits")]);
  expect((await client(env, ["submit", ...urls(4), "--max-credits", "4"])).json().credits_spent).toBe(4);
});

test("--hold-out keeps a part back, whose price --dry-run and --max-credits know; it says how to read the result", async () => {
  const env = await user();
  const args = ["submit", ...urls(100), "--hold-out", "20"];
  expect((await client(env, [...args, "--dry-run"])).json()).toMatchObject({ urls: 100, credits: 84 });
  const refused = await client(env, [...args, "--max-credits", "83"]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("It would cost 84 credits")]);
  const { out } = await client(env, [...args, "--max-credits", "84"], PERSON);
  const [, id] = /Held out: 20 URLs\. What it shows: beckon call get_experiment experiment_id=(exp_\w+)\n/.exec(out)!;
  const result = await client(env, ["call", "get_experiment", `experiment_id=${id}`]);
  expect(result.json()).toMatchObject({ sent: { n: 80 }, held: { n: 20 }, verdict: null });
  const check = await client(env, ["submit", ...urls(100), "--check", "--hold-out", "20"]);
  expect([check.code, check.err]).toEqual([2, expect.stringContaining("--check sends nothing")]);
});

test("the same command after an interruption goes on with the same key, and a command after success with another one", async () => {
  const env = await user();
  const interrupted = new AbortController();
  // The answer is lost: the call has been carried out when the person interrupts.
  const fetched = globalThis.fetch;
  globalThis.fetch = async (...sent) => {
    const answer = await fetched(...sent);
    if (!String(sent[0]).endsWith("/projects")) return answer;
    interrupted.abort(new Error("interrupted"));
    throw new TypeError("fetch failed");
  };
  const first = await client(env, ["submit", ...urls(5)], { signal: interrupted.signal }).finally(() => {
    globalThis.fetch = fetched;
  });
  expect([first.code, first.err]).toEqual([130, expect.stringContaining("Interrupted")]);
  const second = await client(env, ["submit", ...urls(5)]);
  expect(second.json().balance).toBe(495);
  const third = await client(env, ["submit", ...urls(5)]);
  expect(third.json().balance).toBe(490);
  expect(third.json().project.id).not.toBe(second.json().project.id);
});

test("a sitemap is read for its cost, submitted, and of a second one only what is new", async () => {
  const env = await user();
  const pages = urls(3)
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join("");
  const sitemap = service.site.serve(
    "/map.xml",
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages}</urlset>`,
  );
  const args = ["submit", "--sitemap", sitemap];
  expect((await client(env, [...args, "--dry-run"])).json()).toMatchObject({ credits: 3, urls_remaining: 3 });
  const refused = await client(env, [...args, "--max-credits", "2"]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("It would cost 3 credits")]);
  const held = await client(env, [...args, "--hold-out", "50", "--dry-run"]);
  expect([held.code, held.json().error]).toEqual([1, expect.objectContaining({ code: "holdout_not_possible" })]);
  expect((await client(env, [...args, "--max-credits", "3"])).json()).toMatchObject({
    credits_spent: 3,
    urls_remaining: 0,
  });
  const none = await client(env, [...args, "--only-new", "--max-credits", "0"]);
  expect(none.json()).toMatchObject({ project: null, already_submitted: 3 });
  expect((await client(env, args)).json()).toMatchObject({ credits_spent: 3, project: { counts: { total: 3 } } });
  expect((await client(env, [...args, "--only-new"], PERSON)).out).toBe("There is nothing new to submit.\n");
  const missing = await client(env, ["submit", "--sitemap", `${service.site.url}/gone.xml`]);
  expect([missing.code, missing.json().error.code]).toEqual([1, "sitemap_unreachable"]);
});

test("status shows a project, or the newest; --follow a line for each change until it is done", async () => {
  const env = await user();
  const id = await submitted(env);
  expect((await client(env, ["status", id])).json()).toMatchObject({ id, status: "active" });
  expect((await client(env, ["status"], PERSON)).out).toMatch(
    /^project +name +status +URLs +in Google or gone +still open\n.* 3 +0 +3\n$/,
  );
  await client(env, ["call", "cancel_links", `project_id=${id}`]);
  const followed = await client(env, ["status", id, "--follow"]);
  expect(
    followed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).status),
  ).toEqual(["completed"]);
  const seen = await client(env, ["status", id, "--follow"], PERSON);
  expect(seen.out).toContain("\r\x1b[K[############] 3/3, done\r\x1b[Kproject");
  expect(seen.out).toMatch(/\nURLs +3\nNot sent +3\ncredits +3 spent, 3 returned\n/);
  expect((await client(env, ["status", id], PERSON)).out).toContain(seen.out.split("\x1b[K").at(-1));
});

test.each([["links", "--csv"], ["links"]])(
  "exit 1 %s %s: the output cannot be written; says so in a sentence",
  async (...args) => {
    const env = await user();
    const id = await submitted(env);
    const line = [process.execPath, ...CLIENT, args[0]!, id, ...args.slice(1)];
    const run = promisify(execFile)("sh", ["-c", '"$@" > /dev/full', "sh", ...line], {
      env: { PATH: process.env.PATH, ...env },
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: "beckon: The output is not complete, since it could not be written: the disk is full.\n",
    });
  },
);

test("links lists every URL as a table, as CSV, and of one status", async () => {
  const env = await user();
  const id = await submitted(env, 5);
  expect((await client(env, ["links", id])).json().links).toHaveLength(5);
  expect((await client(env, ["links", id], PERSON)).out.split("\n")).toHaveLength(7);
  const { out } = await client(env, ["links", id, "--csv"]);
  expect(out.trim().split("\n")).toHaveLength(6);
  expect((await client(env, ["links", id, "--status", "indexed"], PERSON)).out).toBe("There are none.\n");
});

test("on 40 columns nothing is cut off, and no line of a help is longer", async () => {
  const env = await user();
  const id = await submitted(env, 2);
  const { out } = await client(env, ["links", id], { ...PERSON, width: 40 });
  expect(out).toContain("url: https://example.com/0\nresult: Waiting\n");
  for (const args of [["--help"], ["submit", "--help"], ["listen", "--help"]]) {
    const help = await client(env, args, { ...PERSON, width: 40 });
    expect(help.out.split("\n").filter((line) => line.length > 40)).toEqual([]);
  }
});

test("report counts the URLs of each status by their reason", async () => {
  const env = await user();
  const id = await submitted(env, 4);
  await client(env, ["call", "cancel_links", `project_id=${id}`]);
  const { groups, project } = (await client(env, ["report", id])).json();
  expect(groups).toMatchObject([{ status: "failed", count: 4 }]);
  expect(project.credits_returned).toBe(4);
  const { out } = await client(env, ["report", id], PERSON);
  expect(out).toContain("4 spent, 4 returned");
  expect(out).toMatch(/\n\nresult +URLs +why\nNot sent +4 +\w/);
});

test("watch watches a sitemap, changes what is given, and lists what is watched", async () => {
  const env = await user();
  expect((await client(env, ["watch"], PERSON)).out).toBe("No sitemap is watched.\n");
  const page = "<url><loc>https://example.com/</loc></url>";
  const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${page}</urlset>`;
  const sitemap = service.site.serve("/watched.xml", xml);
  const made = await client(env, ["watch", sitemap, "--new", "list", "--credits-per-month", "20"]);
  expect(made.json().watch).toMatchObject({ new_pages: "list", every: "day", credits_per_month: 20 });
  const changed = await client(env, ["watch", sitemap, "--every", "week"], PERSON);
  expect(changed.out).toMatch(/looked at +every week\nnew pages +list\n/);
  expect((await client(env, ["watch"])).json().watches).toHaveLength(1);
});

test("credits shows the balance and the last movements, and gets a link to buy", async () => {
  const env = await user();
  await submitted(env, 7);
  const { out } = await client(env, ["credits"], PERSON);
  expect(out).toMatch(/credits +493\n/);
  expect((await client(env, ["credits", "--buy", "basic"], PERSON)).out).toMatch(/^Pay here: http/);
});

test("call reaches every operation, with fields of each type", async () => {
  const env = await user();
  const listed = (await client(env, ["call"])).json().operations;
  expect(listed.map(({ operation }: { operation: string }) => operation)).toContain("notify_urls");
  const made = (
    await client(env, [
      "call",
      "submit_urls",
      "urls=https://a.example/,https://b.example/",
      "bing=false",
      "drip_days=7",
    ])
  ).json();
  expect(made).toMatchObject({ urls_accepted: 2, project: { drip_days: 7, engines: { bing: false } } });
  const typed = await client(env, ["call", "estimateCost", "-"], { stdin: Buffer.from('\ufeff{\r\n"count": 9}') });
  expect(typed.json().credits).toBe(9);
  for (const [args, words] of [
    [["fly"], 'There is no operation "fly"'],
    [["get_project"], "project_id=… is missing"],
    [["get_project", "id=3"], "give FIELD=VALUE, with one of project_id"],
    [["estimate_cost", "count=many"], 'count: "many" is not a number'],
    [["estimate_cost", "kind=cheap"], "kind: one of standard, instant, check"],
  ] as const) {
    const { code, err } = await client(env, ["call", ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  }
});

test.each([
  ["no credential", {}, ["credits"], 3, "Run: beckon login"],
  ["a wrong key", { BECKON_API_KEY: "bk_live_nothing" }, ["credits"], 3, "Run: beckon login"],
  ["no service", { BECKON_URL: undefined }, ["credits"], 2, "No service is set"],
  ["plain http", { BECKON_URL: "http://beckon.example" }, ["credits"], 5, "Use https://beckon.example"],
])("with %s a command says what to do", async (_, change, args, exitCode, words) => {
  const { code, err } = await client({ ...userOf(service.url), ...change }, args);
  expect([code, err.replaceAll("\n", " ")]).toEqual([exitCode, expect.stringContaining(words)]);
});

test("exit 4 without enough credits, with the address where they are bought; exit 3 without the scope", async () => {
  const poor = await client(await user({ credits: 1 }), ["submit", ...urls(3)]);
  expect([poor.code, poor.err]).toEqual([4, expect.stringMatching(/Open: http\S+\/pricing/)]);
  const reader = await client(await user({ scopes: ["read"] }), ["submit", ...urls(3)]);
  expect([reader.code, reader.err]).toEqual([3, expect.stringContaining("--scopes read,index,index")]);
});

test.each(["bash", "zsh", "fish"])(
  "completion prints a script for %s that knows commands and operations",
  async (shell) => {
    const { out, code } = await client({}, ["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["submit", "drip-days", "get_project", "instant"]) expect(out).toContain(word);
  },
);
