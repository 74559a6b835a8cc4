/** Next calls this once when the server starts, and never in a build. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  // Static imports would be bundled for the edge runtime too, where none of this exists.
  const { startProcess } = await import("./server/worker/start-process");
  await startProcess();
};
