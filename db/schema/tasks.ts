import { isNotNull, isNull } from "drizzle-orm";
import type { Kit } from "../dialect.ts";
import { TASK_STATES } from "../words.ts";

/** Tasks, which are calls that outlive their connection, their messages, and who is told of them. Times are real. */
export function tasksTables(k: Kit) {
  const tasks = k.table(
    "tasks",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      /** The client's group of tasks. */
      contextId: k.text("context_id").notNull(),
      /** The operation's name as a skill; null until it is known. */
      skill: k.text("skill"),
      state: k.word("state", TASK_STATES).notNull(),
      /** When it entered its state. */
      stateAt: k.big("state_at").notNull(),
      /** Grows with every change, so that one of two simultaneous changes is refused. */
      revision: k.int("revision").notNull().default(0),
      /** JSON of the input so far, while more is needed. */
      input: k.text("input"),
      /** JSON of the status message, as its surface wrote it. */
      said: k.text("said"),
      /** The answer, as the operation gave it. */
      answer: k.text("answer"),
      /** JSON of the headers that went with the answer. */
      answerHeaders: k.text("answer_headers"),
      /** JSON of the messages that made it, oldest first. */
      history: k.text("history").notNull(),
      /** JSON of what its surface keeps with it. */
      metadata: k.text("metadata"),
      /** The project that is watched. */
      projectNo: k.big("project_no"),
      /** The approval that it waits for, or has waited for. */
      approvalId: k.text("approval_id"),
      /** When a process is to see whether it can go on; null: it goes on by a message only. */
      resumeAt: k.big("resume_at"),
      createdAt: k.big("created_at").notNull(),
      /** When it is deleted; null while it is open. */
      expiresAt: k.big("expires_at"),
    },
    (t) => [
      k.index("tasks_account").on(t.accountId, t.stateAt, t.id),
      // Holds only open tasks, which are few.
      k.index("tasks_open").on(t.accountId, t.state).where(isNull(t.expiresAt)),
      k.index("tasks_expires").on(t.expiresAt),
      // Holds only tasks with an approval, which are few.
      k.index("tasks_approval").on(t.approvalId).where(isNotNull(t.approvalId)),
      k.index("tasks_resume").on(t.resumeAt).where(isNotNull(t.resumeAt)),
    ],
  );

  /** Every message that was acted on, so that none is acted on twice. */
  const taskMessages = k.table(
    "task_messages",
    {
      accountId: k.text("account_id").notNull(),
      /** Chosen by the client. */
      messageId: k.text("message_id").notNull(),
      taskId: k.text("task_id").notNull(),
      /** SHA-256 of what it requested. */
      digest: k.text("digest").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.messageId] }), k.index("task_messages_task").on(t.taskId)],
  );

  /** Where a client is told of the changes of a task (A2A 1.0 section 4.3.1). */
  const pushConfigs = k.table(
    "push_configs",
    {
      id: k.text("id").primaryKey(),
      accountId: k.text("account_id").notNull(),
      taskId: k.text("task_id").notNull(),
      /** Id of the API key or grant that made it. */
      maker: k.text("maker").notNull(),
      /** Its id in the protocol, which its maker may choose. */
      configId: k.text("config_id").notNull(),
      url: k.text("url").notNull(),
      /** The version of the protocol that it was made in, and that it is told in: `1.0` or `0.3`. */
      protocol: k.text("protocol").notNull(),
      /** Token, authentication scheme and credentials, as JSON; null without any. */
      sealedSecrets: k.text("sealed_secrets"),
      createdAt: k.big("created_at").notNull(),
    },
    (t) => [
      k.unique("push_configs_config").on(t.taskId, t.maker, t.configId),
      k.index("push_configs_account").on(t.accountId),
    ],
  );

  return { tasks, taskMessages, pushConfigs };
}
