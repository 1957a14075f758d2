import { beforeEach, expect, test } from "vitest";
import {
  deletePushConfigOf,
  hasOtherTo,
  pushConfigsByIds,
  pushConfigsOf,
  pushSecretsOf,
  savePushConfig,
} from "../../../../src/domain/tasks/push-configs.ts";
import { writeTurn } from "../../../../src/domain/tasks/write.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(0);
});

async function task(taskId: string): Promise<string> {
  const about = { taskId, contextId: "ctx", skill: "get_project", messageId: null, digest: "", history: "[]" };
  const turn = { ...about, metadata: null, revision: null, stateOnSuccess: "working" } as const;
  await store.db.tx((tx) => writeTurn(tx, accountId, turn, { state: "working", now: store.clock.now() }));
  return taskId;
}

/** Saves the configuration of a maker for a task. */
async function save(taskId: string, maker: string, configId: string, url: string) {
  const config = { accountId, maker, taskId, configId, url, protocol: "1.0", secrets: { token: url } } as const;
  return (await store.db.tx((tx) => savePushConfig(tx, box, config, store.clock.now())))!.row;
}

test("a maker is shown its own configurations of a task, in the order of their ids, each with its own secrets", async () => {
  const [one, other] = [await task("tsk_1"), await task("tsk_2")];
  const second = await save(one, "key_1", "b", "https://b.example/");
  const first = await save(one, "key_1", "a", "https://a.example/");
  const ofOther = await save(other, "key_1", "c", "https://c.example/");
  const others = await save(one, "key_2", "a", "https://d.example/");
  expect(await pushConfigsOf(store.db, { maker: "key_1", taskId: one })).toEqual([first, second]);
  expect(await pushConfigsOf(store.db, { maker: "key_2", taskId: one })).toEqual([others]);
  const found = await pushConfigsByIds(store.db, [others.id, second.id, ofOther.id, "pcf_none"]);
  expect(new Set(found.map((row) => pushSecretsOf(box, row).token))).toEqual(
    new Set(["https://d.example/", "https://b.example/", "https://c.example/"]),
  );
});

test("a maker has another configuration to an origin by one of any of its tasks, not by the same one or another maker's", async () => {
  const [one, other] = [await task("tsk_1"), await task("tsk_2")];
  const first = await save(one, "key_1", "a", "https://a.example/first");
  await save(one, "key_1", "b", "https://a.example:8443/");
  await save(one, "key_2", "a", "https://a.example/second");
  expect(await hasOtherTo(store.db, first)).toBe(false);
  const second = await save(other, "key_1", "a", "https://a.example/third");
  expect(await hasOtherTo(store.db, first)).toBe(true);
  expect(await hasOtherTo(store.db, { ...first, accountId: "acc_other" })).toBe(false);
  expect(await store.db.tx((tx) => deletePushConfigOf(tx, accountId, second.id))).toBe(true);
  expect(await hasOtherTo(store.db, first)).toBe(false);
});
