import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { runPerl } from "@/test/run-perl";

const PR_SET_NAME = 15;

it("makes system calls with numbers by value and texts by address", async () => {
  const script = `call("prctl", ${PR_SET_NAME}, "renamed", 0, 0, 0);
    open(my $name, "<", "/proc/self/comm"); print <$name>;`;
  expect((await runPerl({ files: [script] })).stdout).toBe("renamed\n");
});

it("ends when a system call fails, with its name and the reason", async () => {
  const { exitCode, stderr } = await runPerl({ files: ['call("prctl", 99999, 0, 0, 0, 0);'] });
  expect({ stderr, failed: exitCode !== 0 }).toEqual({
    stderr: "prctl: Invalid argument\n",
    failed: true,
  });
});

it("goes on after a system call that may fail", async () => {
  const script = 'print try_call("prctl", 99999, 0, 0, 0, 0)';
  expect((await runPerl({ files: [script] })).stdout).toBe("-1");
});

it("writes files, or says which one it cannot write", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "parley-perl-"));
  const file = path.join(directory, "file");
  const script = "put($ARGV[0], $ARGV[1]); put($ARGV[2], 1)";
  const { stderr } = await runPerl({ files: [script], args: [file, "text", `${directory}/a/b`] });
  expect(await readFile(file, "utf8")).toBe("text");
  expect(stderr).toBe(`${directory}/a/b: No such file or directory\n`);
  await rm(directory, { recursive: true });
});

it("leaves its input to others", async () => {
  const script = 'leave_input(); print readlink "/proc/self/fd/0"';
  const { stdout } = await runPerl({ files: [script], stdio: ["pipe", "pipe", "pipe"] });
  expect(stdout).toBe("/dev/null");
});

it.each([
  ["ended by itself", 3 << 8, 3],
  ["was ended by a signal", 9, 137],
  ["was ended by a signal with a core dump", 6 | 128, 134],
])("has the exit code of a process that %s", async (_, status, code) => {
  const { exitCode } = await runPerl({ files: [`exit to_exit_code(${status})`] });
  expect(exitCode).toBe(code);
});
