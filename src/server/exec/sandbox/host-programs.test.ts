import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  copyRunnerProgram,
  type RunnerProgram,
  sandboxRows,
  startRunner,
} from "@/test/sandbox-runner";
import { findHostPrograms, SYSTEM_PROGRAMS } from "./host-programs";

/** Outside of what a sandbox has of its own, and writable for every account. */
const PLACE = "/var/tmp";

let folder: string;
beforeEach(async () => {
  folder = await createFolder();
});

const createFolder = async (place = PLACE): Promise<string> => {
  const created = await mkdtemp(path.join(place, "parley-programs-"));
  await chmod(created, 0o755);
  onTestFinished(() => rm(created, { recursive: true }));
  return created;
};

const put = async (name: string, text = "", mode = 0o644): Promise<string> => {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text, { mode });
  return file;
};
const putProgram = (name: string): Promise<string> =>
  put(name, `#!/bin/sh\necho ${path.basename(name)} of the host\n`, 0o755);

const find = (execPaths: string[], nodePrefixes: string[] = []) =>
  findHostPrograms(execPaths, { privateDirectories: [], nodePrefixes });

describe("the programs of PARLEY_EXEC_PATHS", () => {
  it("are those of the system without it", async () => {
    expect(await find([])).toEqual(SYSTEM_PROGRAMS);
  });

  it("come first, from bin or from the folder itself", async () => {
    const other = await createFolder();
    await putProgram("bin/uvx");
    expect(await find([folder, other])).toEqual({
      folders: [folder, other].sort(),
      path: `${folder}/bin:${other}:${SYSTEM_PROGRAMS.path}`,
    });
  });

  it("are shown at the place of a link and at that of its target", async () => {
    const link = `${folder}-link`;
    await symlink(folder, link);
    onTestFinished(() => rm(link));
    expect((await find([link])).folders).toEqual([folder, link].sort());
  });

  it("are not shown again where the system is", async () => {
    expect(await find(["/usr/local"])).toEqual({
      folders: [],
      path: `/usr/local/bin:${SYSTEM_PROGRAMS.path.replace("/usr/local/bin:", "")}`,
    });
  });

  it.each([
    ".env",
    ".env.local",
    ".git-credentials",
    ".netrc",
    ".pypirc",
    "credentials.toml",
    "a/b/id_ed25519",
    "a/.ssh/config",
    ".aws/config",
    ".gnupg/x",
    ".kube/config",
    "share/keyrings/login",
  ])("are refused with the secret %s, which is named", async (name) => {
    await put(name);
    await expect(find([folder])).rejects.toThrow(`PARLEY_EXEC_PATHS has "${folder}", where`);
    await expect(find([folder])).rejects.toThrow(
      name
        .split("/")
        .slice(0, 3)
        .join("/")
        .replace(/\/(?:config|x|login)$/, ""),
    );
  });

  it.each([
    ["server.key", "-----BEGIN PRIVATE KEY-----\n"],
    ["etc/tls.pem", "x\n-----BEGIN RSA PRIVATE KEY-----\n"],
    [".npmrc", "//registry.example.org/:_authToken=npm_x\n"],
  ])("are refused with %s that holds a key", async (name, text) => {
    await put(name, text);
    await expect(find([folder])).rejects.toThrow(path.join(folder, name));
  });

  it.each([
    [".env.example", "KEY="],
    ["cacert.pem", "-----BEGIN CERTIFICATE-----\n"],
    [".npmrc", "fund=false\n"],
    ["environment", ""],
    ["lib/python3/test/certdata/keycert.pem", "-----BEGIN PRIVATE KEY-----\n"],
  ])("are taken with %s, which is no secret of a person", async (name, text) => {
    await put(name, text);
    expect((await find([folder])).folders).toEqual([folder]);
  });

  it.each<[what: string, toFolder: () => string | Promise<string>, problem: string]>([
    ["a folder that is missing", () => "/var/tmp/parley-none", "no folder of this machine"],
    ["a file", () => "/etc/passwd", "no folder of this machine"],
    ["the root", () => "/", "where secrets may be"],
    ["the home", () => os.homedir(), "where secrets may be"],
    ["what contains the home", () => path.dirname(os.homedir()), "where secrets may be"],
    ["settings of the system", () => "/etc/ssl", "lies in /etc"],
    ["files that each command has of its own", () => createFolder("/tmp"), "lies in /tmp"],
  ])("are refused in %s", async (_what, toFolder, problem) => {
    await expect(find([await toFolder()])).rejects.toThrow(problem);
  });

  it("are refused where the data directory is", async () => {
    const data = path.join(folder, "data");
    await mkdir(data);
    const options = { privateDirectories: [data], nodePrefixes: [] };
    await expect(findHostPrograms([folder], options)).rejects.toThrow(`which has ${data} in it`);
    await expect(findHostPrograms([data], options)).rejects.toThrow(`which has ${data} in it`);
  });
});

describe("Node.js of the server", () => {
  it("comes last, if the system has none", async () => {
    await putProgram("bin/npx");
    const { folders, path: variable } = await findHostPrograms([], {
      privateDirectories: [],
      nodePrefixes: [folder],
      systemFolders: [path.join(folder, "none")],
    });
    expect(folders).toEqual([folder]);
    expect(variable).toBe(`${folder}/none:${folder}/bin`);
  });

  it("is not shown where the setting has it, and not with secrets", async () => {
    await putProgram("bin/node");
    const other = await createFolder();
    const options = { privateDirectories: [], nodePrefixes: [folder], systemFolders: [other] };
    expect((await findHostPrograms([folder], options)).path).toBe(`${folder}/bin:${other}`);
    await put(".env");
    expect((await findHostPrograms([], options)).folders).toEqual([]);
  });
});

describe.each(sandboxRows)("in $kind of $account", ({ kind, launcher }) => {
  let program: RunnerProgram;
  beforeAll(async () => {
    program = await copyRunnerProgram();
  });
  afterAll(() => program.remove());

  it("a command runs them first, and cannot change them", async () => {
    await chmod(await putProgram("bin/uvx"), 0o777);
    await putProgram("bin/ls");
    await put("lib/data", "data of the package\n");
    const command = [...launcher, ...program.command, kind, folder];
    const runner = await startRunner(command, program.directory);
    const { output } = await runner.run({
      script: `exec 2>&1; uvx; ls; cat ${folder}/lib/data; touch ${folder}/bin/x; echo x >>${folder}/bin/uvx; /bin/ls ${PLACE} | grep -vx ${path.basename(folder)}; npx-of-nobody`,
    });
    runner.process.disconnect();
    await once(runner.process, "exit");
    expect(output).toMatch(
      /^uvx of the host\nls of the host\ndata of the package\ntouch: .*Read-only file system\n.*Read-only file system\n.*npx-of-nobody: command not found\n$/,
    );
  });
});
