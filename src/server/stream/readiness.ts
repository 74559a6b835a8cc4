import { log } from "@/server/log";
import { shareInProcess } from "@/server/share-in-process";

/** The program that serves marks what Next has started as ready. */
const readiness = shareInProcess("readiness", () => ({
  ...Promise.withResolvers<undefined>(),
  isReady: false,
}));

/** Resolves when this process has been ready for the first time. What is not needed for that begins afterwards. */
export const whenReady = (): Promise<void> => readiness.promise;

export const isReady = (): boolean => readiness.isReady;

/** Resolves the first readiness of this process, and logs what the start has cost. */
export const markReady = (): void => {
  if (readiness.isReady) return;
  readiness.isReady = true;
  const { user, system } = process.threadCpuUsage();
  const ms = Math.round(performance.now());
  log().info({ ms, mainThreadCpuMs: Math.round((user + system) / 1_000) }, "parley is ready");
  readiness.resolve(undefined);
};
