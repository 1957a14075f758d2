import { expect, test } from "vitest";
import { consoleTransport } from "../../../../src/domain/mail/console.ts";

test("prints the message as it is, its subject on one line", async () => {
  const written: string[] = [];
  const transport = consoleTransport((text) => written.push(text));
  const link = `https://beckon.test/confirm?link=lnk_${"x".repeat(43)}`;
  await transport.deliver({
    id: "mail_1",
    to: "ann@example.com",
    subject: "Open\r\nyour account",
    text: `Hello,\n\n${link}\n`,
  });
  expect(written.join("")).toBe(
    `\n--- Mail to ann@example.com: Open your account ---\n\nHello,\n\n${link}\n\n--- End of mail ---\n\n`,
  );
  expect(await transport.check()).toContain("sent to nobody");
});
