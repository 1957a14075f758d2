import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { PushConfigDraft, TaskPushConfig } from "../../../a2a/wire.ts";

/** The push configurations of a scripted agent, in memory. Nothing is sent. */
export class ScriptedPushConfigs {
  readonly #configs = new Map<string, TaskPushConfig>();

  save({ taskId, id = "config", url, authentication }: PushConfigDraft & { taskId: string }): TaskPushConfig {
    const scheme = authentication && { authentication: { scheme: authentication.scheme } };
    const config = { taskId, id, url, ...scheme };
    this.#configs.set(`${taskId} ${id}`, config);
    return config;
  }

  find(taskId: string, id: string): TaskPushConfig {
    const config = this.#configs.get(`${taskId} ${id}`);
    if (!config) throw new TaskNotFoundError("There is no such configuration.");
    return config;
  }

  of(taskId: string): TaskPushConfig[] {
    return [...this.#configs.values()].filter((config) => config.taskId === taskId);
  }

  delete(taskId: string, id: string): void {
    this.#configs.delete(`${taskId} ${id}`);
  }
}
