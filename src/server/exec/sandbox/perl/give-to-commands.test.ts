import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runPerl, type PerlOutcome } from "@/test/run-perl";
import giveToCommands from "./give-to-commands.pl?raw";

const account = process.getuid?.() ?? 0;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-give-"));
  await symlink(directory, path.join(directory, "link"));
  await writeFile(path.join(directory, "file"), "");
});
afterAll(() => rm(directory, { recursive: true }));

/** Prints the arguments of `chown`, unless another program takes its place. */
const give = (directories: string[], settings = {}): Promise<PerlOutcome> =>
  runPerl({
    files: [giveToCommands],
    script: "give_to_commands(@ARGV)",
    settings: { account, chown: "/bin/echo", ...settings },
    args: directories,
  });

it("gives the server's files in each directory to the account, and follows no link", async () => {
  const change = `-RhP --from=0 ${account}:${account} -- ${directory}\n`;
  expect(await give([directory, directory])).toMatchObject({
    exitCode: 0,
    stdout: change + change,
  });
});

it.each([
  ["of another account", "", { account: account + 1 }],
  ["that is a link", "/link", {}],
  ["that is a file", "/file", {}],
  ["that is not there", "/none", {}],
])("refuses a directory %s", async (_, name, settings) => {
  const { exitCode, stdout, stderr } = await give([directory + name], settings);
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "not a workspace\n" });
  expect(exitCode).not.toBe(0);
});

it("ends when files cannot be given away", async () => {
  expect((await give([directory], { chown: "/bin/false" })).exitCode).toBe(1);
});
