import { expect, it } from "vitest";
import { keepConnected } from "./keep-connected";
import { loadSdk } from "./load-sdk";

const { SdkError, SdkErrorCode } = loadSdk();

it("closes without waiting for a server that is listing its tools", async () => {
  const started = Promise.withResolvers<undefined>();
  const listed = Promise.withResolvers<undefined>();
  const failures: string[] = [];
  const keeper = keepConnected({
    connect: () =>
      Promise.resolve({
        listTools: () => Promise.resolve([]),
        callTool: () => Promise.reject(new Error("nothing is called here")),
        findProblem: () => undefined,
        close: () => {
          listed.reject(new Error("Connection closed"));
          return Promise.resolve();
        },
      }),
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
    connect: () =>
      Promise.resolve({
        listTools: () => Promise.resolve([]),
        callTool: () => Promise.reject(new Error("nothing is called here")),
        findProblem: () => problem,
        close: () => {
          problem = "The program has ended.";
          return Promise.resolve();
        },
      }),
    refresh: () => Promise.reject(reason),
    onFailure: (failure) => failures.push(failure),
  });
  await keeper.ready;
  await keeper.close();
  expect(failures).toEqual([shown]);
});
