/** Lets the browser draw and answer input first. On the server, nothing waits. */
export const nextTask = (): Promise<void> | undefined =>
  typeof window === "undefined" ? undefined : new Promise((resolve) => setTimeout(resolve));
