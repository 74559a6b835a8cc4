/** Called by Next once when the server starts; not called during a build. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  // A static import would also be bundled for the edge runtime, which lacks Node's modules.
  const { startApi } = await import("./server/api/start-api");
  await startApi();
  const { hasFront } = await import("./server/api/process-api");
  const { startWithoutFront } = await import("./server/http/start-without-front");
  if (!hasFront()) startWithoutFront();
};
