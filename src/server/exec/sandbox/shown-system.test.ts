import { existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandOutcome } from "@/test/programs/command-runner";
import { sandboxRows, useRunner, useRunnerProgram } from "@/test/sandbox-runner";

const PROGRAM_DIRECTORIES = ["/usr/local/bin", "/usr/bin"];
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** A program that lies outside of what a sandbox shows, such as in a home, is as good as none. */
const isInstalled = (name: string): boolean =>
  PROGRAM_DIRECTORIES.map((directory) => path.join(directory, name)).some(
    (file) => existsSync(file) && realpathSync(file).startsWith("/usr/"),
  );

const PROGRAMS = [
  { name: "node", script: "node -e 'console.log(6 * 7)'", output: "42\n" },
  { name: "npm", script: "npm -v", output: /^\d+\.\d+\.\d+\n$/ },
  {
    name: "openssl",
    script:
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test -keyout key -out certificate 2>log || cat log; head -n 1 certificate",
    output: /-----BEGIN CERTIFICATE-----\n$/,
  },
  {
    name: "python3",
    needs: CERTIFICATES,
    script: `python3 -c 'import ssl; print(len(ssl.create_default_context().get_ca_certs()) > 0)'`,
    output: "True\n",
  },
  {
    name: "git",
    script:
      "git init -q r && cd r && echo text > file && git add file && git -c user.name=A -c user.email=a@b.c commit -qm first && git log --format=%s",
    output: "first\n",
  },
  {
    name: "gcc",
    script: `echo '#include <stdio.h>
int main(void) { puts("built"); }' > main.c && gcc main.c -o main && ./main`,
    output: "built\n",
  },
].filter(({ name, needs }) => isInstalled(name) && (needs === undefined || existsSync(needs)));

/** `/proc` has what the kernel closes to each account. */
const FIND_CLOSED = String.raw`find / -path /proc -prune -o \
  \( -type d ! \( -readable -executable \) -o -type f ! -readable \) -print -prune`;
const DIRECTORY_RIGHTS = 0o005;
const FILE_RIGHTS = 0o004;

/** Whether the machine itself closes a path to accounts that do not own it. */
const isClosedOnHost = (file: string): boolean => {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const rights = stats.isDirectory() ? DIRECTORY_RIGHTS : FILE_RIGHTS;
  return (stats.mode & rights) !== rights;
};

const program = useRunnerProgram();

describe.each(sandboxRows)("what $kind shows, started by $account", ({ kind, launcher }) => {
  const runner = useRunner(program, { kind, launcher });
  const run = (script: string): Promise<CommandOutcome> =>
    runner().run({
      script: `exec 2>&1; ${script}`,
      env: { HOME: "/workspace" },
      hasProxy: true,
      hasCallDirectory: true,
    });

  it.each(PROGRAMS)(
    "is enough for $name",
    async ({ script, output }) => {
      const outcome = await run(script);
      expect(outcome.output).toEqual(
        typeof output === "string" ? output : expect.stringMatching(output),
      );
      expect(outcome.exitCode).toBe(0);
    },
    70_000,
  );

  it("is open to commands", async () => {
    const { output } = await run(FIND_CLOSED);
    const closed = output.split("\n").filter((line) => line !== "" && !isClosedOnHost(line));
    expect(closed).toEqual([]);
  });
});
