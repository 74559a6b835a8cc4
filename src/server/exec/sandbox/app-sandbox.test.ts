import { expect, it } from "vitest";
import { toOffer } from "./app-sandbox";
import type { Sandbox } from "./sandbox";

const sandbox = (kind: Sandbox["kind"]): Sandbox => ({
  kind,
  environment: { PATH: "/bin" },
  workspacePath: (workspace) => workspace,
  homePath: (workspace) => workspace,
  callDirectoryPath: (callDirectory) => callDirectory,
  prepareWorkspace: () => Promise.resolve(),
  launch: () => {
    throw new Error("not started here");
  },
});
const failure = (kind: Sandbox["kind"]) => ({ kind, reason: `${kind} is not installed.` });

it("says what failed where another sandbox is used instead", () => {
  const offer = toOffer({ sandbox: sandbox("unshare"), failures: [failure("bubblewrap")] });
  expect(offer).toMatchObject({
    kind: "unshare",
    notice:
      "Commands run in unshare, as bubblewrap does not work here: bubblewrap is not installed.",
  });
});

it("says that commands run without a sandbox", () => {
  const offer = toOffer({ sandbox: sandbox("none"), failures: [] });
  expect(offer).toMatchObject({
    kind: "none",
    notice: expect.stringContaining("without a sandbox") as string,
  });
});

it("has nothing to say of a sandbox that works", () => {
  const found = sandbox("bubblewrap");
  expect(toOffer({ sandbox: found, failures: [] })).toBe(found);
});

it("says everything that failed where no sandbox works", () => {
  const failures = [failure("bubblewrap"), failure("unshare")];
  expect(toOffer({ sandbox: undefined, failures })).toEqual({
    unavailable: expect.stringMatching(/bubblewrap is not .* unshare is not/) as string,
  });
});
