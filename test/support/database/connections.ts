import type { NewConnection } from "../../../src/domain/connections/save.ts";
import { SecretBox } from "../../../src/platform/secret-box.ts";

/** Seals the secrets of connections. */
export const connectionBox = new SecretBox(() => [Buffer.alloc(32, 1)]);

/** A Google account that a person has connected, whose properties were not read yet. */
export function newConnection(accountId: string, subject: string, now: number): NewConnection {
  return {
    ...{ accountId, personId: "per_ann", kind: "search_console", subject, name: `${subject}@example.com`, scopes: "" },
    ...{ secret: "first", properties: null, ip: "127.0.0.1", now },
  };
}
