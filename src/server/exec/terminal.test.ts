import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";
import { HANGING } from "@/test/hanging";
import { recordedDeps } from "@/test/tool-fixture";

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

const run = (command: string) => ({ action: "run", command, pty: true, timeout: 60 });
const MAX_COUNT = "2147483647";

it.each([..."@ABCDEFGHILMPSTXZ^`abdefr", " @", " A", "'}", "'~"])(
  "draws a sequence that ends with %j and counts to the largest number",
  async (final) => {
    const end = Array.from(final, (character) => `\\${character.charCodeAt(0).toString(8)}`);
    const result = await fixture.exec(
      run(`printf 'before\\033[${MAX_COUNT};${MAX_COUNT}${end.join("")}\\033[H\\033[2Jafter'`),
    );
    expect(result).toMatchObject({ status: "exited", exit_code: 0, output: "after" });
  },
);

it.each([
  ["a parameter in pieces", `printf '\\033[2147'; sleep 0.1; printf '483647T'`],
  ["a parameter with a line break in it", `printf '\\033[2147\\n483647T'`],
  ["the sequence as one character of C1", `printf '\\302\\2332147483647T'`],
  ["a number of more digits than any has", `printf '\\033[${"9".repeat(400)}T'`],
  ["more parameters than a sequence has", `printf '\\033[${`${MAX_COUNT};`.repeat(64)}T'`],
  ["a size without an end", `printf '\\033[8;${MAX_COUNT};${MAX_COUNT}t'`],
  ["a command of the system without an end", `printf '\\033]0;'; head -c 20000000 /dev/zero`],
  ["a letter with many accents", `printf a; yes $'\\u0301' | head -c 3000000 | tr -d '\\n'`],
])("draws %s", async (_what, command) => {
  const result = await fixture.exec(run(`${command}; printf '\\033c\\033[H\\033[2Jafter'`));
  expect(result).toMatchObject({ status: "exited", exit_code: 0 });
  expect(result.output).toContain("after");
});

it("ends a screen that takes too long, and shows the output as it came", async () => {
  const chatId = uuidv7();
  const neighbor = await fixture.exec(
    { ...run("echo neighbor; read line; echo got $line"), background: true },
    { chatId },
  );
  // Sets the size again and again, which arranges all lines anew.
  const fill = `yes "$(seq -s ' ' 200)" | head -n 1000`;
  const resize = `perl -e 'print "\\033[8;200;500t\\033[8;5;20t" x 60000'`;
  const result = await fixture.exec(run(`${fill}; ${resize}; echo; echo after`), { chatId });
  expect(result).toMatchObject({ status: "exited", exit_code: 0 });
  expect(result.output).toMatch(/after\r?\n[^]*screen of its terminal could not be drawn in time/);
  // The screen of another command is its own.
  const session = { session_id: neighbor.session_id ?? "" };
  const written = await fixture.exec(
    { action: "send_keys", ...session, keys: ["tea", "enter"] },
    { chatId },
  );
  expect(written.output).toContain("got tea");
});

it("survives a program that closes its terminal and has set a size", async () => {
  const command = `perl -e 'print "\\033[8;50;100t" x 5000'; exec 0<&- 1>&- 2>&-; sleep 0.2`;
  for (let round = 0; round < 5; round += 1) {
    expect(await fixture.exec(run(command))).toMatchObject({ status: "exited", exit_code: 0 });
  }
});

it("gives a program that reads nothing no more answers than it may have unread", async () => {
  const chatId = uuidv7();
  const ask = `stty raw -echo; perl -e 'print "\\033[6n" x 200000'; touch asked; sleep 100`;
  const { session_id = "" } = await fixture.exec({ ...run(ask), background: true }, { chatId });
  await vi.waitFor(async () => {
    const { exit_code: code } = await fixture.exec(
      { action: "run", command: "test -e asked" },
      { chatId },
    );
    expect(code).toBe(0);
  }, HANGING);
  const state = await fixture.exec({ action: "read", session_id }, { chatId });
  expect(state.status).toBe("running");
  await fixture.exec({ action: "kill", session_id }, { chatId });
});

it("shows a screen of many colors without them, as long as it is no longer than others", async () => {
  const recorded = recordedDeps();
  const print = `print "\\033[H"; for (1..200) { for (1..499) { print "\\033[38;2;", $_ % 255, ";1;1;48;2;1;2;", $_ % 250, "mx" } print "\\r\\n" if $_ < 200 }`;
  const command = run(`perl -e '${print}'; sleep 0.3`);
  const result = await fixture.exec(
    { ...command, env: { COLUMNS: "500", LINES: "200" } },
    { recorded },
  );
  expect(result.output).toContain("x".repeat(499));
  const shown = recorded.ops.flatMap((op) => (op.op === "output-append" ? [op.text.length] : []));
  expect(Math.max(...shown)).toBeLessThanOrEqual(32 * 1024);
});
