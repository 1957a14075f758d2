import { type TestStore, testStore } from "./store.ts";

/** The domain over a SQLite file of one's own, whatever this run of the tests is on. @param url as DATABASE_URL */
export function sqliteStore(url: string): Promise<TestStore> {
  return testStore(Promise.resolve({ url, drop: async () => undefined }));
}
