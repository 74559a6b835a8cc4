/** Waits for the next task, so that the browser can paint and handle input. On the server it does not wait. */
export const nextTask = (): Promise<void> | undefined =>
  typeof window === "undefined" ? undefined : new Promise((resolve) => setTimeout(resolve));
