import { expect, it, onTestFinished, vi } from "vitest";
import { keepConnected } from "./keep-connected";
import { loadSdk } from "./load-sdk";

const { SdkError, SdkErrorCode } = loadSdk();

const reject = () => Promise.reject(new Error("nothing is called here"));

/** Connects to a server that has no tools. */
const connectTo =
  ({
    onClose,
    findProblem = () => undefined,
  }: {
    onClose: () => void;
    findProblem?: () => string | undefined;
  }) =>
  () =>
    Promise.resolve({
      listTools: () => Promise.resolve([]),
      callTool: reject,
      listCommands: reject,
      getPrompt: reject,
      readResource: reject,
      findProblem,
      close: () => Promise.resolve(onClose()),
    });

it("closes without waiting for a server that is listing its tools", async () => {
  const started = Promise.withResolvers<undefined>();
  const listed = Promise.withResolvers<undefined>();
  const failures: string[] = [];
  const maintained = keepConnected({
    connect: connectTo({ onClose: () => listed.reject(new Error("Connection closed")) }),
    refresh: () => {
      started.resolve(undefined);
      return listed.promise;
    },
    onFailure: (reason) => failures.push(reason),
  });
  await started.promise;
  await maintained.close();
  expect(await maintained.require()).toBeUndefined();
  expect(failures).toEqual([]);
});

it("tries an address once that can never work", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const count = async (code: string): Promise<number> => {
    let tries = 0;
    const maintained = keepConnected({
      connect: () => {
        tries += 1;
        const cause = Object.assign(new Error("self-signed certificate"), { code });
        return Promise.reject(new Error("fetch failed", { cause }));
      },
      refresh: () => Promise.resolve(),
      onFailure: () => undefined,
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await maintained.close();
    return tries;
  };
  expect(await count("SELF_SIGNED_CERT_IN_CHAIN")).toBe(1);
  expect(await count("ECONNREFUSED")).toBeGreaterThan(1);
});

it.each([
  [new Error("The server lists too many tools."), "The server lists too many tools."],
  [new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed"), "The program has ended."],
])("names the reason for which it is closed, not its end: %s", async (reason, shown) => {
  let problem: string | undefined;
  const failures: string[] = [];
  const maintained = keepConnected({
    connect: connectTo({
      onClose: () => {
        problem = "The program has ended.";
      },
      findProblem: () => problem,
    }),
    refresh: () => Promise.reject(reason),
    onFailure: (failure) => failures.push(failure),
  });
  await maintained.ready;
  await maintained.close();
  expect(failures).toEqual([shown]);
});

it("reads again what has changed while it was read, and never twice at the same time", async () => {
  const reads: PromiseWithResolvers<undefined>[] = [];
  let change = (): void => undefined;
  const maintained = keepConnected({
    connect: ({ onToolsChanged }) => {
      change = onToolsChanged;
      return connectTo({ onClose: () => undefined })();
    },
    refresh: () => {
      const read = Promise.withResolvers<undefined>();
      reads.push(read);
      return read.promise;
    },
    onFailure: () => undefined,
  });
  await expect.poll(() => reads).toHaveLength(1);
  change();
  change();
  expect(reads).toHaveLength(1);
  reads[0]?.resolve(undefined);
  await expect.poll(() => reads).toHaveLength(2);
  reads[1]?.resolve(undefined);
  await maintained.ready;
  expect(maintained.status()).toEqual({ state: "connected" });
  change();
  await expect.poll(() => reads).toHaveLength(3);
  await maintained.close();
});

it("connects again after pauses that double up to a minute", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let attempts = 0;
  const maintained = keepConnected({
    connect: () => {
      attempts += 1;
      return Promise.reject(new Error("no server"));
    },
    refresh: () => Promise.resolve(),
    onFailure: () => undefined,
  });
  const pauses: number[] = [];
  for (let last = 0; pauses.length < 8; last = attempts) {
    let seconds = 0;
    while (attempts === last) {
      await vi.advanceTimersByTimeAsync(500);
      seconds += 0.5;
    }
    pauses.push(seconds);
  }
  expect(pauses.slice(1)).toEqual([1, 2, 4, 8, 16, 32, 60]);
  await maintained.close();
});
