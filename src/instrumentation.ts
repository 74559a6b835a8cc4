/** Called by Next once when the server starts; not called during a build. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  // A static import would also be bundled for the edge runtime, which lacks Node's modules.
  const { startProcess } = await import("./server/app/start-process");
  await startProcess();
  const { appApi } = await import("./server/api/app-api");
  // The program that serves calls it, and cannot make it.
  appApi();
  const { hasFront } = await import("./server/api/process-api");
  const { startWithoutFront } = await import("./server/http/start-without-front");
  if (!hasFront()) startWithoutFront();
};
