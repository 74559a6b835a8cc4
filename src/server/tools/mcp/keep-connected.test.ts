import { expect, it } from "vitest";
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
      ...{ callTool: reject, listCommands: reject, getPrompt: reject, readResource: reject },
      findProblem,
      close: () => Promise.resolve(onClose()),
    });

it("closes without waiting for a server that is listing its tools", async () => {
  const started = Promise.withResolvers<undefined>();
  const listed = Promise.withResolvers<undefined>();
  const failures: string[] = [];
  const keeper = keepConnected({
    connect: connectTo({ onClose: () => listed.reject(new Error("Connection closed")) }),
    refresh: () => {
      started.resolve(undefined);
      return listed.promise;
    },
    onFailure: (reason) => failures.push(reason),
  });
  await started.promise;
  await keeper.close();
  expect(await keeper.require()).toBeUndefined();
  expect(failures).toEqual([]);
});

it.each([
  [new Error("The server lists too many tools."), "The server lists too many tools."],
  [new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed"), "The program has ended."],
])("names the reason for which it is closed, not its end: %s", async (reason, shown) => {
  let problem: string | undefined;
  const failures: string[] = [];
  const keeper = keepConnected({
    connect: connectTo({
      onClose: () => {
        problem = "The program has ended.";
      },
      findProblem: () => problem,
    }),
    refresh: () => Promise.reject(reason),
    onFailure: (failure) => failures.push(failure),
  });
  await keeper.ready;
  await keeper.close();
  expect(failures).toEqual([shown]);
});
