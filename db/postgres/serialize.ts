import { Mutex } from "../mutex.ts";

/** Queues of this process by name: what has the same name comes one by one, first come, first served. */
export class Turns {
  readonly #queues = new Map<string, { readonly mutex: Mutex; users: number }>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { mutex: new Mutex(), users: 0 };
    this.#queues.set(name, queue);
    queue.users++;
    try {
      return await queue.mutex.run(work);
    } finally {
      queue.users--;
      if (queue.users === 0) this.#queues.delete(name);
    }
  }
}
