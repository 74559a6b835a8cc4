import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findTestSandbox } from "@/test/exec-fixture";
import { UNPRIVILEGED_ID } from "./workspace-owner";

const isRoot = process.getuid?.() === 0;
const ORDINARY_USER = 12_345;

let base: string;
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "parley-owner-"));
});
afterEach(() => rm(base, { recursive: true }));

const createDirectory = async (name: string, mode: number): Promise<string> => {
  const directory = path.join(base, name);
  await mkdir(directory);
  await chmod(directory, mode);
  await writeFile(path.join(directory, "file"), "text");
  return directory;
};

const run = async (workspace: string, script: string): Promise<string> => {
  const sandbox = await findTestSandbox();
  const { file, args, cwd, env } = sandbox.launch({
    argv: ["/bin/sh", "-c", script],
    workspace,
    cwd: "",
    env: { PATH: "/usr/bin:/bin" },
  });
  return (await promisify(execFile)(file, args, { cwd, env })).stdout;
};

const readOwner = async (directory: string): Promise<number> =>
  (await lstat(path.join(directory, "file"))).uid;

// As another account, the server can give nothing away.
describe.runIf(isRoot)("the owner of a workspace of root's server", () => {
  it("is the commands' account once it is prepared, with the server's files in it", async () => {
    const workspace = await createDirectory("workspace", 0o700);
    await (await findTestSandbox()).prepareWorkspace(workspace);
    expect(await run(workspace, "cat file && echo more >file && cat file")).toBe("textmore\n");
    expect(await readOwner(workspace)).toBe(UNPRIVILEGED_ID);
  });

  it("may open it to others and is still known", async () => {
    const workspace = await createDirectory("workspace", 0o700);
    const { prepareWorkspace } = await findTestSandbox();
    await prepareWorkspace(workspace);
    await run(workspace, "chmod 777 .");
    await prepareWorkspace(workspace);
    expect(await run(workspace, "echo next")).toBe("next\n");
  });

  it("changes nothing that it has already, as tools compare the times of changes", async () => {
    const workspace = await createDirectory("workspace", 0o700);
    await (await findTestSandbox()).prepareWorkspace(workspace);
    await run(workspace, "true");
    const file = path.join(workspace, "file");
    const { ctimeNs } = await stat(file, { bigint: true });
    await run(workspace, "true");
    expect((await stat(file, { bigint: true })).ctimeNs).toBe(ctimeNs);
  });

  it.each([
    ["private", 0o700],
    ["shared", 0o1777],
  ])("stays as it was for a %s directory that was not prepared", async (name, mode) => {
    const directory = await createDirectory(name, mode);
    await expect(run(directory, "true")).rejects.toThrow("not a workspace");
    expect(await readOwner(directory)).toBe(0);
  });

  it.each([
    ["that all may write to", 0o1777],
    ["that all may read", 0o755],
    ["of a group", 0o770],
  ])("is not made of a directory %s", async (_, mode) => {
    const directory = await createDirectory("shared", mode);
    const { prepareWorkspace } = await findTestSandbox();
    await expect(prepareWorkspace(directory)).rejects.toThrow("cannot be a workspace");
    expect((await stat(directory)).uid).toBe(0);
  });

  it("is not made of a directory of another account, or of a link", async () => {
    const { prepareWorkspace } = await findTestSandbox();
    const directory = await createDirectory("other", 0o700);
    const link = path.join(base, "link");
    await symlink(directory, link);
    await expect(prepareWorkspace(link)).rejects.toThrow("ENOTDIR");
    await promisify(execFile)("chown", [`${ORDINARY_USER}`, directory]);
    await expect(prepareWorkspace(directory)).rejects.toThrow("cannot be a workspace");
    expect((await stat(directory)).uid).toBe(ORDINARY_USER);
  });

  it("is not reached through a link to a workspace", async () => {
    const workspace = await createDirectory("workspace", 0o700);
    await (await findTestSandbox()).prepareWorkspace(workspace);
    const link = path.join(base, "link");
    await symlink(workspace, link);
    await expect(run(link, "true")).rejects.toThrow("not a workspace");
  });
});
