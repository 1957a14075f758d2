/** Changes of a file that no test can notice, by the reason; each as its line, what is changed, and what it becomes. */
export const SURVIVORS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {};
