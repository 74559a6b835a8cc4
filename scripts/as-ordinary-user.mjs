// as-ordinary-user.mjs [--give <folder>] -- <command> …: as root, runs the command in a copy of this repository as an
// account without privileges. Makes the account and the copy for that time, and gives the folder to the account.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { runProgram } from "./run-program.mjs";

const root = join(import.meta.dirname, "..");
/** What belongs to this machine's own server, or is large and not tested. */
const LEFT_OUT = [".env", ".git", "data", "storybook-static", "test-results"];

const { values, positionals } = parseArgs({
  options: { give: { type: "string" } },
  allowPositionals: true,
});
if (positionals.length === 0 || process.getuid?.() !== 0) {
  console.error("usage, as root: node scripts/as-ordinary-user.mjs [--give <folder>] -- <command>");
  process.exit(2);
}

// A signal is handled by the command, or after the copy is complete, so that account and copy are removed.
let receivedSignal;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => (receivedSignal = signal));
}

const account = `parley-test-${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), "parley-user-"));
const [copy, home] = ["parley", "home"].map((name) => join(directory, name));
let code = 1;
try {
  chmodSync(directory, 0o755);
  for (const folder of [copy, home]) mkdirSync(folder);
  execFileSync("useradd", ["--no-create-home", "--home-dir", home, account]);
  const entries = readdirSync(root).filter((name) => !LEFT_OUT.includes(name));
  const paths = entries.map((name) => join(root, name));
  execFileSync("cp", ["--archive", "--reflink=auto", ...paths, copy]);
  const given = values.give === undefined ? [] : [values.give];
  execFileSync("chown", ["--recursive", `${account}:`, copy, home, ...given]);
  const command = positionals.map((argument) =>
    argument.startsWith(`${root}/`) ? join(copy, argument.slice(root.length)) : argument,
  );
  const becomeAccount = ["setpriv", `--reuid=${account}`, `--regid=${account}`, "--init-groups"];
  if (!receivedSignal) {
    code = await runProgram("env", [`--chdir=${copy}`, ...becomeAccount, ...command], {
      HOME: home,
      PATH: [join(copy, "node_modules/.bin"), process.env.PATH].join(delimiter),
      PWD: copy,
      USER: account,
    });
  }
} finally {
  execFileSync("userdel", ["--force", account], { stdio: "ignore" });
  rmSync(directory, { recursive: true, force: true });
}
process.exit(code);
