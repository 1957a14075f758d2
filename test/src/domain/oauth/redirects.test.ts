import { describe, expect, test } from "vitest";
import {
  isLoopbackRedirect,
  isRedirectUri,
  isRegisteredRedirect,
  redirectLabel,
  redirectUrisIn,
  withParameters,
} from "../../../../src/domain/oauth/redirects.ts";

describe("a redirect URI that is accepted", () => {
  test.each([
    "https://app.example/callback",
    "https://app.example",
    "https://app.example:8443/cb?tenant=1&x=%20",
    "https://192.0.2.7/cb",
    "https://[2001:db8::1]:8443/cb",
    "https://xn--bcher-kva.example/cb",
    "https://app.example./cb",
    "http://localhost/cb",
    "http://localhost:3000",
    "http://127.0.0.1:7777/callback?x=1",
    "http://127.0.0.1?x=1",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "com.example.app:/oauth2redirect",
    "vscode://vscode.github-authentication/did-authenticate",
    "app+1.x-y:cb",
    "windsurf://codeium.windsurf-mcp/callback",
    "com.googleusercontent.apps.1234-abc:/oauth2redirect",
    "com.knowledge.edgewise:/cb",
    "claude://claude.ai/mcp-auth-callback",
    `https://app.example/${"a".repeat(2_028)}`,
  ])("%s", (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
  });
});

const REFUSED = [
  // http elsewhere than on this machine
  "http://app.example/cb",
  "http://localhost.evil.example/cb",
  "http://127.0.0.1.evil.example/cb",
  "http://127.0.0.2/cb",
  "http://127.1/cb",
  "http://2130706433/cb",
  "http://0x7f.0.0.1/cb",
  "http://[::1]/cb",
  "http://[::ffff:127.0.0.1]/cb",
  "http://0.0.0.0/cb",
  "http://localhost./cb",
  "http:/localhost/cb",
  "http:localhost/cb",
  "http://localhost:99999/cb",
  "http://localhost:/cb",
  // what runs, opens files, or is a system's own
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://app.example/1",
  "about:blank",
  "ftp://app.example/cb",
  "ws://app.example/cb",
  "wss://app.example/cb",
  "filesystem:https://app.example/temporary/1",
  "view-source:https://app.example/",
  "intent://app.example/#Intent;end",
  "mailto:somebody@example.com",
  "tel:+15550100",
  "sms:+15550100",
  "ms-msdt:/id",
  "search-ms:query=x",
  "chrome://settings",
  "urn:ietf:wg:oauth:2.0:oob",
  // what hands the code on: browsers, by name and by rule, and addresses within the address
  "microsoft-edge:https://evil.example/cb",
  "microsoft-edge://cb",
  "googlechrome://evil.example/cb",
  "googlechromes://evil.example/cb",
  "googlechrome-x-callback://x-callback-url/open",
  "x-safari-https://evil.example/cb",
  "x-safari-http://evil.example/cb",
  "com-apple-mobilesafari-tab://cb",
  "firefox://open-url",
  "firefox-focus://open-url",
  "touch-https://evil.example/cb",
  "opera-http://evil.example/cb",
  "brave://open-url",
  "vivaldi:cb",
  "ddgquicklink://evil.example/cb",
  "yandexbrowser-open-url://cb",
  "mybrowser:cb",
  "web+app:cb",
  "ext+app:cb",
  "ms-word:ofe",
  "android-app://com.example/cb",
  "cursor://open?url=https://evil.example/cb",
  "cursor://open?url=https%3A%2F%2Fevil.example%2Fcb",
  "app:http:cb",
  // fragments, user names, and what parsers repair
  "https://app.example/cb#",
  "https://app.example/cb#x",
  "https://app.example@evil.example/cb",
  "https://:@evil.example/cb",
  "https://@evil.example/cb",
  "cursor://user@host/cb",
  "https:/app.example/cb",
  "https:app.example/cb",
  "https:///app.example/cb",
  "https:\\\\app.example\\cb",
  "https://app.example\\@evil.example/cb",
  "https://",
  "https://app.example:99999/cb",
  " https://app.example/cb",
  "https://app.example/cb ",
  "https://app.example/a b",
  "https://app.example/100%",
  "https://app.example/%zz",
  "https://app.example/cb\r\nSet-Cookie: sid=1",
  "https://app.example/\tcb",
  "java\tscript:alert(1)",
  "https://app.example/\u0000",
  "https://app.example/\u202ecb",
  "https://bücher.example/cb",
  'https://app.example/"><script>',
  // hosts that would mean something in a policy
  "https://*.example/cb",
  "https://app.example;script-src/cb",
  "https://app.example,evil.example/cb",
  "https://app.example'self'/cb",
  // not addresses at all
  "",
  "/callback",
  "//app.example/cb",
  "callback",
  "://cb",
  `https://app.example/${"a".repeat(2_029)}`,
];

describe("a redirect URI that is refused", () => {
  test.each(REFUSED)("%j", (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
  });
});

test("a list keeps the redirect URIs that can be used, in its order", () => {
  const [web, own] = ["https://app.example/cb", "cursor://host/cb"];
  const mixed = [own, "http://[::1]:7777/cb", 7, "javascript:x", null, [web], "http://app.example/cb", web, `${web}#x`];
  expect(redirectUrisIn(mixed)).toEqual([own, web]);
  for (const none of [undefined, null, [], web, { 0: web }, ["http://[::1]/cb"]])
    expect(redirectUrisIn(none)).toEqual([]);
});

describe("a redirect URI that is registered", () => {
  test.each([
    ["https://app.example/cb", "https://app.example/cb"],
    ["http://localhost:3000/cb", "http://localhost:3000/cb"],
    ["http://localhost/cb", "http://localhost:49152/cb"],
    ["http://localhost:3000/cb", "http://localhost/cb"],
    ["http://127.0.0.1:3000/cb?x=1", "http://127.0.0.1:4000/cb?x=1"],
    ["http://127.0.0.1", "http://127.0.0.1:4000"],
    ["cursor://host/cb", "cursor://host/cb"],
  ])("%s: %s", (registered, asked) => {
    expect(isRegisteredRedirect(["https://other.example/", registered], asked)).toBe(true);
  });
});

describe("a redirect URI that is not registered", () => {
  test.each([
    ["https://app.example/cb", "https://app.example/cb/"],
    ["https://app.example/cb", "https://app.example/cb?x=1"],
    ["https://app.example/cb", "https://app.example/CB"],
    ["https://app.example/cb", "https://APP.example/cb"],
    ["https://app.example/cb", "https://app.example:443/cb"],
    ["https://app.example/cb", "https://app.example:8443/cb"],
    ["https://app.example/cb", "https://app.example/x/../cb"],
    ["https://app.example/cb", "https://app.example/%63b"],
    ["https://app.example/cb", "http://app.example/cb"],
    ["https://app.example/cb", "https://app.example.evil.example/cb"],
    ["https://app.example/cb", "https://evil.example/https://app.example/cb"],
    ["http://localhost/cb", "http://127.0.0.1/cb"],
    ["http://127.0.0.1/cb", "http://localhost/cb"],
    ["http://localhost/cb", "https://localhost/cb"],
    ["http://localhost/cb", "http://localhost:3000/other"],
    ["http://localhost/cb", "http://localhost:3000/cb?x=1"],
    ["http://localhost/cb", "http://localhost:3000@evil.example/cb"],
    ["http://localhost/cb", "http://localhost:99999/cb"],
    ["http://localhost/cb", "http://localhost:3000.evil.example/cb"],
    ["cursor://host/cb", "cursor://host:80/cb"],
  ])("%s: %s", (registered, asked) => {
    expect(isRegisteredRedirect([registered], asked)).toBe(false);
  });
});

test.each([
  ["https://app.example:8443/cb;x?y", "app.example:8443"],
  ["https://APP.example:443/cb", "app.example"],
  ["http://127.0.0.1:4052/cb", "127.0.0.1:4052"],
  ["https://[2001:db8::1]/cb", "[2001:db8::1]"],
  ["cursor://host/cb", "cursor:"],
  ["com.example.app:/cb", "com.example.app:"],
])("%s: as a user reads it", (uri, label) => {
  expect(redirectLabel(uri)).toBe(label);
});

test("only http on this machine is a loopback redirect", () => {
  expect(isLoopbackRedirect("http://localhost:3000/")).toBe(true);
  expect(isLoopbackRedirect("https://localhost/")).toBe(false);
  expect(isLoopbackRedirect("cursor://localhost/")).toBe(false);
});

test("parameters are appended to the query, and are encoded", () => {
  expect(withParameters("https://a.example/cb", { code: "x", state: "a b&c=d\r\n#" })).toBe(
    "https://a.example/cb?code=x&state=a+b%26c%3Dd%0D%0A%23",
  );
  expect(withParameters("https://a.example/cb?t=1", { code: "x" })).toBe("https://a.example/cb?t=1&code=x");
  expect(withParameters("app:cb", { code: "x" })).toBe("app:cb?code=x");
});
