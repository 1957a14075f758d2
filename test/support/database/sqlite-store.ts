import { type TestStore, testStore } from "./store.ts";

/** A TestStore over an existing SQLite file, on whichever dialect the tests run. @param url as DATABASE_URL */
export function sqliteStore(url: string): Promise<TestStore> {
  return testStore(Promise.resolve({ url, drop: async () => undefined }));
}
