import { log } from "@/server/log";

const KEY = Symbol.for("parley.readiness");

type Readiness = PromiseWithResolvers<undefined> & { isReady: boolean };

/** On `globalThis`, as the server and what Next starts are bundled apart. */
const readiness = (): Readiness => {
  const holder = globalThis as { [KEY]?: Readiness };
  return (holder[KEY] ??= { ...Promise.withResolvers<undefined>(), isReady: false });
};

/** Resolves when this process has been ready for the first time. What is not needed for that begins afterwards. */
export const whenReady = (): Promise<void> => readiness().promise;

export const isReady = (): boolean => readiness().isReady;

/** Resolves the first readiness of this process, and logs what the start has cost. */
export const markReady = (): void => {
  const state = readiness();
  if (state.isReady) return;
  state.isReady = true;
  const { user, system } = process.threadCpuUsage();
  const ms = Math.round(performance.now());
  log().info({ ms, mainThreadCpuMs: Math.round((user + system) / 1_000) }, "parley is ready");
  state.resolve(undefined);
};
