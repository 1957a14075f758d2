import fc from "fast-check";
import robotsParser from "robots-parser";
import { expect, test } from "vitest";
import { robotsRules } from "../../../../src/indexing/preflight/robots-rules.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const googlebot = (...lines: string[]) => ["User-agent: Googlebot", ...lines].join("\n");

/** Which addresses a pattern means, as the documentation of Google's crawlers has it. */
const PATTERNS: readonly (readonly [pattern: string, matched: readonly string[], others: readonly string[]])[] = [
  ["/", ["/", "/fish", "/?a=1"], []],
  ["/*", ["/", "/fish"], []],
  ["/$", ["/"], ["/fish", "/?a=1"]],
  [
    "/fish",
    ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=anything"],
    ["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"],
  ],
  ["/fish*", ["/fish", "/fish.html", "/fishheads/yummy.html"], ["/Fish.asp", "/catfish"]],
  ["/fish/", ["/fish/", "/fish/?id=anything", "/fish/salmon.htm"], ["/fish", "/fish.html", "/animals/fish/"]],
  [
    "/*.php",
    ["/index.php", "/filename.php", "/folder/filename.php?parameters", "/filename.php/", "//folder/any.php.file"],
    ["/", "/windows.PHP"],
  ],
  [
    "/*.php$",
    ["/filename.php", "/folder/filename.php"],
    ["/filename.php?parameters", "/filename.php/", "/filename.php5"],
  ],
  ["/fish*.php", ["/fish.php", "/fishheads/catfish.php?parameters"], ["/Fish.PHP"]],
  ["*.gif$", ["/a.gif", "/x/a.gif"], ["/a.gif?x"]],
  ["/a*b*c$", ["/abc", "/a-b-c", "/abcbc"], ["/abcd", "/acb"]],
  ["/a$b", ["/a$b", "/a$bc"], ["/a", "/ab"]],
  ["/a*$", ["/a", "/ab"], ["/b"]],
  ["/**/x", ["/x/x", "//x"], ["/x"]],
  ["/*aab$", ["/aaab"], ["/aaba"]],
  ["/x*x$", ["/xx", "/xax"], ["/x"]],
  ["fish", [], ["/fish", "/"]],
  ["/caf\u00e9", ["/caf%C3%A9", "/caf%c3%a9s"], ["/cafe"]],
  ["/caf%c3%a9", ["/caf%C3%A9"], []],
  ["/%7Ejoe", ["/~joe"], []],
  ["/a%2Fb", ["/a%2Fb", "/a%2fb"], ["/a/b"]],
  ["/a b", ["/a%20b"], []],
  ["/?q={x}", ["/?q={x}", "/?q=%7Bx%7D"], []],
];

test.each(PATTERNS)("%s", (pattern, matched, others) => {
  const rules = robotsRules(googlebot(`Disallow: ${pattern}`));
  expect([...matched, ...others].filter((address) => !rules.allows(address))).toEqual(matched);
});

/** Allow and Disallow that both match. */
const CONFLICTS: readonly (readonly [allow: string, disallow: string, address: string, isAllowed: boolean])[] = [
  ["/p", "/", "/page", true],
  ["/folder", "/folder", "/folder/page", true],
  ["/page", "/*.htm", "/page.htm", false],
  ["/page", "/*.ph", "/page.php5", true],
  ["/$", "/", "/", true],
  ["/$", "/", "/page.htm", false],
  ["/a/index.html", "/a/", "/a/", true],
  ["/a/index.html", "/a/", "/a/b", false],
  ["/a/b", "/a/", "/a/", false],
];

test.each(CONFLICTS)(
  "the longest rule decides, and of two equally long ones the one that allows: %s, %s: %s",
  (...conflict) => {
    const [allow, disallow, address, isAllowed] = conflict;
    for (const lines of [
      [`Allow: ${allow}`, `Disallow: ${disallow}`],
      [`Disallow: ${disallow}`, `Allow: ${allow}`],
    ])
      expect(robotsRules(googlebot(...lines)).allows(address)).toBe(isAllowed);
  },
);

/** Whether Googlebot may fetch /page. */
const FILES: readonly (readonly [name: string, text: string, isAllowed: boolean])[] = [
  ["an empty file", "", true],
  ["a file of something else", "<!doctype html><html>Disallow: /</html>", true],
  ["rules before any user agent", "Disallow: /\nUser-agent: *\nDisallow: /other", true],
  ["the group of all", "User-agent: *\nDisallow: /", false],
  ["its own group before that of all", "User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nDisallow: /other", true],
  ["its own group, also when that comes first", "User-agent: googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /", false],
  [
    "its own group without a rule",
    "User-agent: googlebot\n\nUser-agent: x\nDisallow:\n\nUser-agent: *\nDisallow: /",
    true,
  ],
  ["its own group with an empty rule", "User-agent: googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /", true],
  [
    "two groups of its own count together",
    "User-agent: googlebot\nDisallow: /x\n\nUser-agent: googlebot\nDisallow: /",
    false,
  ],
  ["one group for two", "User-agent: bingbot\nUser-agent: googlebot\nDisallow: /", false],
  ["one group for it and all", "User-agent: *\nUser-agent: googlebot\nDisallow: /", false],
  [
    "a sitemap does not end a list of user agents",
    "User-agent: googlebot\nSitemap: /s\nUser-agent: x\nDisallow: /",
    false,
  ],
  ["a delay does not either", "User-agent: googlebot\nCrawl-delay: 9\nUser-agent: x\nDisallow: /", false],
  ["another robot's group", "User-agent: bingbot\nDisallow: /", true],
  ["a robot whose name begins alike", "User-agent: googlebot-news\nDisallow: /", true],
  ["a robot whose name is shorter", "User-agent: google\nDisallow: /", true],
  ["a version", "User-agent: Googlebot/2.1 (+http://www.google.com/bot.html)\nDisallow: /", false],
  ["capitals", "USER-AGENT: GOOGLEBOT\nDISALLOW: /", false],
  ["a star and more", "User-agent: *bot\nDisallow: /", true],
  ["a star after a word", "User-agent: somebody *\nDisallow: /", true],
  ["spaces around", "  User-agent :  *  \n\tDisallow :\t/\t", false],
  ["comments", "# User-agent: x\nUser-agent: * # all\nDisallow: / # everything", false],
  ["a rule in a comment", "User-agent: *\n# Disallow: /", true],
  ["a colon before a rule", "User-agent: *\n:Disallow: /", true],
  ["empty lines inside a group", "User-agent: *\n\n\nDisallow: /", false],
  ["a byte order mark", "\uFEFFUser-agent: *\nDisallow: /", false],
  ["CRLF", "User-agent: *\r\nDisallow: /\r\n", false],
  ["CR", "User-agent: *\rDisallow: /\r", false],
  ["a forgotten colon", "user-agent *\ndisallow /", false],
  ["a forgotten colon, with spaces", " user-agent   * \n disallow  /page ", false],
  ["a forgotten colon, and a word before", "User-agent: *\nplease disallow /", true],
  ["a forgotten colon, and a word after", "User-agent: *\ndisallow / please", true],
  ...["useragent", "user agent", "User-Agent"].map(
    (word) => [`a user agent written as ${word}`, `${word}: *\nDisallow: /`, false] as const,
  ),
  ...["dissallow", "dissalow", "disalow", "diasllow", "disallaw"].map(
    (word) => [`a word misspelt as many do: ${word}`, `User-agent: *\n${word}: /`, false] as const,
  ),
  ["a word misspelt otherwise", "User-agent: *\nForbid: /", true],
  ["a full address for a path", "User-agent: *\nDisallow: https://site.example/page", true],
  ["prototypes", "User-agent: __proto__\nDisallow: /\nUser-agent: constructor\nDisallow: /", true],
  ["a line as long as Google reads", `User-agent: *\n${"Disallow: /".padEnd(16_664)}`, false],
  ["a line that is longer by a character", `User-agent: *\n${"Disallow: /".padEnd(16_665)}`, true],
  ["a line longer than any address", `User-agent: *\nDisallow: /${"*".repeat(20_000)}`, true],
];

test.each(FILES)("%s", (_, text, isAllowed) => {
  expect(robotsRules(text).allows("/page")).toBe(isAllowed);
});

test("only rules of crawlers that are asked about are kept, and those of a crawler that is named twice once", () => {
  expect(robotsRules("User-agent: somebody\nDisallow: /a\nDisallow: /b").size).toBe(0);
  expect(robotsRules("User-agent: *\nUser-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nDisallow: /b").size).toBe(2);
});

test("a signal of content is a line of its own, and no other line is one", () => {
  const signals = (line: string) => robotsRules(`User-agent: *\n${line}\nDisallow: /a`).signalsFor("Googlebot");
  expect(signals("Content-Signal: search=yes")).toHaveLength(1);
  expect(signals("Crawl-delay: 9")).toEqual([]);
});

test("a file that needs four million comparisons is read to its end, and one that needs more allows the address", () => {
  const address = `/${"a".repeat(989)}`;
  // Each costs 10 characters of the pattern and 990 of the address.
  const isAllowed = (count: number, pattern: string) =>
    robotsRules(googlebot(...Array.from({ length: count }, () => `Disallow: ${pattern}`), "Disallow: /")).allows(
      address,
    );
  expect(isAllowed(4_000, "/*bbbbbbbb")).toBe(false);
  expect(isAllowed(4_001, "/*bbbbbbbb")).toBe(true);
  // A pattern without a star costs nothing.
  expect(isAllowed(4_001, "/bbbbbbbbb")).toBe(false);
});

/** The package's types speak of an ES module, which it is not. */
const parse = robotsParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean };

test("files that another parser understands too have the same meaning to both", () => {
  const path = fc.string({ unit: fc.constantFrom("/", "a", "b", "*", "$", "?", "é"), maxLength: 8 });
  const rule = fc.tuple(
    fc.constantFrom("Allow", "Disallow"),
    path.map((text) => `/${text}`),
  );
  const group = fc.tuple(fc.constantFrom("*", "Googlebot", "bingbot"), fc.array(rule, { minLength: 1, maxLength: 5 }));
  const address = fc.string({ unit: fc.constantFrom("/", "a", "b", "$", "?", "%C3%A9"), maxLength: 10 });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 4 }), address, (groups, end) => {
      const text = groups
        .map(([agent, rules]) => [`User-agent: ${agent}`, ...rules.map((one) => one.join(": "))].join("\n"))
        .join("\n\n");
      const url = new URL(`http://site.example/${end}`);
      // An address that begins with two slashes is another host to a URL parser.
      fc.pre(url.pathname + url.search === `/${end}` && url.host === "site.example");
      const other = parse("http://site.example/robots.txt", text);
      expect(robotsRules(text).allows(`/${end}`)).toBe(other.isAllowed(url.href, "Googlebot"));
    }),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

test("any text has an answer, for any URL", () => {
  const piece = fc.constantFrom(
    "User-agent: ",
    "googlebot",
    "*",
    "\n",
    "Disallow: ",
    "Allow:",
    "/",
    "$",
    "#",
    "%",
    "é",
    "\0",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: "binary" }))),
      fc.string({ unit: "binary" }),
      (parts, path) => {
        expect(robotsRules(parts.join("")).allows(`/${path}`)).toBeTypeOf("boolean");
      },
    ),
    { numRuns: fuzzRuns(2_000), seed: 1 },
  );
});

test("500 KB written to be slow are parsed in bounded time", () => {
  const size = 500 * 1024;
  const address = `/${"a".repeat(8_000)}`;
  const stars = `Disallow: /${"*a".repeat(8_000)}b\n`;
  const short = "Disallow: *aab\n";
  const agents = Array.from({ length: 20_000 }, (_, index) => `User-agent: a${index}\n`).join("");
  const files = [
    `User-agent: *\n${stars.repeat(size / stars.length)}`,
    `User-agent: *\n${short.repeat(size / short.length)}`,
    `${agents}User-agent: *\n${"Disallow: /x\n".repeat(20_000)}`,
    "User-agent: *\n".repeat(size / 14),
    " ".repeat(size),
    ":".repeat(size),
    "\n".repeat(size),
  ];
  // Time of the processor, which a busy machine does not lengthen.
  const from = process.cpuUsage();
  for (const file of files) {
    const rules = robotsRules(file);
    for (let i = 0; i < 10; i++) rules.allows(address);
  }
  expect(process.cpuUsage(from).user / 1_000).toBeLessThan(3_000);
});
