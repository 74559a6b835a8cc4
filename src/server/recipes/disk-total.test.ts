import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { createWorkspaceQuota } from "@/server/tools/workspace/workspace-quota";
import { createRecipeCaller, recipe } from "@/test/recipe-fixture";

type Kind = Sandbox["kind"];

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-total-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** @param maxMegabytes of all workspaces and calls together. */
const createCaller = async (kind: Kind, maxMegabytes: number) => {
  const { sandbox, failures } = await findSandbox(kind, { privateDirectories: [] });
  if (!sandbox) throw new Error(JSON.stringify(failures));
  const openShare = createWorkspaceQuota(directory, maxMegabytes).open;
  const { run } = createRecipeCaller(sandbox, { openShare });
  return (...scripts: string[]) => {
    const steps = scripts.map((script): [string, ...string[]] => ["bash", "-c", script]);
    return run(recipe({ steps }), {
      approved: true,
    });
  };
};

const BUBBLEWRAP: Kind = existsSync("/usr/bin/bwrap") ? "bubblewrap" : "unshare";
const FULL = "files of all chats together";
const FILE = "head -c 60M /dev/zero >file";
const UNLINKED = "exec 3>file; rm file; head -c 60M /dev/zero >&3";

it.each<[what: string, kind: Kind, maxMegabytes: number, script: string]>([
  ["files", BUBBLEWRAP, 100, FILE],
  ["files", "unshare", 100, FILE],
  ["files", "none", 100, FILE],
  ["files without a name", "unshare", 100, UNLINKED],
])(
  "calls at a time have no more %s in their private directories than all workspaces may, in %s",
  async (_, kind, maxMegabytes, script) => {
    const call = await createCaller(kind, maxMegabytes);
    const hold = (seconds: number) => call(`${script}; sync -f .; sleep ${seconds}`);
    // So long that all of them hold their files at the same time on a busy machine, too.
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => hold(8)));
    const ended = outcomes.filter(({ output }) => JSON.stringify(output).includes(FULL));
    expect(ended.length, JSON.stringify(outcomes)).toBeGreaterThan(1);
    // What the calls had is free again.
    expect(await hold(1)).toMatchObject({ state: "completed" });
  },
);

it.each<Kind>([BUBBLEWRAP, "unshare", "none"])(
  "a call has what its steps before have left, in %s",
  async (kind) => {
    const call = await createCaller(kind, 100);
    const outcome = await call("head -c 60M /dev/zero >one", "head -c 60M /dev/zero >two; sleep 2");
    expect(JSON.stringify(outcome.output)).toContain(FULL);
    expect(await call("head -c 60M /dev/zero >one")).toMatchObject({ state: "completed" });
  },
);
