import { expect, it } from "vitest";
import { keepConnected } from "./keep-connected";

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
