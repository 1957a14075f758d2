import { expect, test } from "vitest";
import { createLog } from "../../src/log.ts";

const KEY = "bk_test_0123456789abcdefghijklmnop";

test("a log line holds no secret, wherever it stood", () => {
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  log.info(
    { headers: { authorization: `Bearer ${KEY}`, "x-api-key": KEY, cookie: 'a="b"', host: "localhost" } },
    "request",
  );
  log.error({ err: new Error(`key ${KEY} failed`) }, `Bearer abc.def-ghi and ${KEY.replace("test", "live")}`);
  log.debug({}, "below the level");
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).not.toMatch(/0123456789|abc\.def|a=/);
    expect(JSON.parse(line)).toHaveProperty("msg");
  }
  expect(JSON.parse(lines[0]!).headers.host).toBe("localhost");
});
