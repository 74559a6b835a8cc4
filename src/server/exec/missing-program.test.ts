import { expect, it } from "vitest";
import { explainMissingProgram } from "./missing-program";

it.each([
  ["a shell", "/bin/bash: line 1: npx: command not found\n", "npx"],
  ["dash", "sh: 1: exec: uvx: not found", "uvx"],
  ["env", "/usr/bin/env: ‘node’: No such file or directory\n", "node"],
  ["env of busybox", "env: can't execute 'python3': No such file or directory", "python3"],
  ["the starter of a sandbox", "some line\nuv: No such file or directory\n", "uv"],
  ["the starter with a path", "/home/me/.cargo/bin/cargo: No such file or directory", "cargo"],
  ["a script in between", "setup.sh: line 3: cargo: command not found\nfailed\n", "cargo"],
])("explains what %s does not find", (_what, output, name) => {
  expect(explainMissingProgram(output)).toMatch(
    new RegExp(`a program ${name}\\..*PARLEY_EXEC_PATHS`),
  );
});

it.each([
  "bash: line 1: frobnicate: command not found",
  "cat: node: No such file or directory",
  "ls: cannot access 'go': No such file or directory",
  "node: bad option",
  "my-node: command not found",
  "",
])("says nothing of %j", (output) => {
  expect(explainMissingProgram(output)).toBeUndefined();
});
