import { expect, it } from "vitest";
import { runPerl, type PerlOutcome } from "@/test/run-perl";
import forwardProxy from "./forward-proxy.pl?raw";
import runCommand from "./run-command.pl?raw";

const RLIMIT_NOFILE = 7;

/** Runs a command with three variables, and prints the signal that it reports in brackets. */
const run = (...args: string[]): Promise<PerlOutcome> =>
  runPerl({
    files: [forwardProxy, runCommand],
    script: String.raw`
      pipe(my $environment, my $passed);
      syswrite $passed, join "\0", "PATH=$ENV{PATH}", "A=x=y", "EMPTY=";
      close $passed;
      pipe(my $reports, my $report);
      my $child = fork();
      run_command($environment, $report) if $child == 0;
      close $report;
      my $signal = <$reports> // "";
      waitpid($child, 0);
      print "[", ord $signal, "]" if length $signal;
      exit to_exit_code($?);`,
    settings: {
      limits: [{ resource: RLIMIT_NOFILE, value: 64 }],
      proxy: { path: "/none", port: 1 },
    },
    args,
  });

it("runs the command in the directory, with its variables and limits only", async () => {
  const script = 'pwd; echo "$A,${EMPTY-unset}"; ulimit -n; env | wc -l; exit 5';
  const { stdout, exitCode } = await run("/usr", "sh", "-c", script);
  expect(stdout).toBe("/usr\nx=y,\n64\n4\n");
  expect(exitCode).toBe(5);
});

it("reports the signal that ends the command, and has its exit code", async () => {
  expect(await run("/", "sh", "-c", "kill -TERM $$")).toMatchObject({
    exitCode: 143,
    stdout: "[15]",
  });
});

it("ends at once when nobody reads its report", async () => {
  const { stdout } = await runPerl({
    files: [forwardProxy, runCommand],
    script: String.raw`
      pipe(my $environment, my $passed);
      pipe(my $reports, my $report);
      close $passed;
      my $child = fork();
      if ($child == 0) {
        close $reports;
        run_command($environment, $report);
      }
      close $report;
      close $reports;
      waitpid($child, 0);
      print to_exit_code($?);`,
    settings: { limits: [], proxy: { path: "/none", port: 1 } },
    args: ["/", "/bin/sh", "-c", "exec >/dev/null; read line"],
    stdio: ["pipe", "pipe", "pipe"],
  });
  expect(stdout).toBe("1");
});

it("gives the command a process group of its own, and a terminal's keys their effect", async () => {
  const script = 'print getpgrp == $$ ? "own" : "shared", " "; kill INT => $$; sleep 9';
  expect((await run("/", "perl", "-e", script)).stdout).toBe("[2]");
});

it.each([
  ["a directory that is not there", ["/none", "true"], "/none: No such file or directory\n"],
  ["a program that is not there", ["/", "/none"], "/none: No such file or directory\n"],
])("says that it cannot run in %s", async (_, args, stderr) => {
  const outcome = await run(...args);
  expect(outcome).toMatchObject({ stdout: "", stderr });
  expect(outcome.exitCode).not.toBe(0);
});
