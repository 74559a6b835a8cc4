import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

const perl = (program: string): string => `perl -e '$| = 1; ${program}'`;

it.each([
  ["scrolls as often as a sequence can say", `printf '\\033[1500000T\\033[2147483647T'`],
  ["scrolls without an end", perl(`print "\\033[2147483647T" x 100 for 1 .. 5000`)],
  ["inserts lines without an end", perl(`print "\\033[2147483647L" x 100 for 1 .. 5000`)],
  ["repeats a letter without an end", perl(`print "a\\033[2147483647b" x 100 for 1 .. 500`)],
  ["goes to tabs without an end", perl(`print "\\033[2147483647I\\r" x 100 for 1 .. 5000`)],
  ["changes the size", perl(`print "\\033[8;200;500t\\033[8;5;20t" x 10 for 1 .. 5000`)],
  ["asks where the cursor is, and reads nothing", perl(`print "\\033[6n" x 100 for 1 .. 5000`)],
  ["links each letter", perl(`print "\\033]8;;http://a/$_\\033\\\\\\\\a\\r" for 1 .. 200000`)],
  ["prints 200 MB", "yes | head -c 200M"],
  [
    "fills the largest screen with colors",
    perl(
      `print "\\033[8;200;500t"; for (1 .. 1500000) { print "\\033[48;2;", $_ % 255, ";2;3mx" }`,
    ),
  ],
])("blocks the server no longer than other work when a command %s", async (_what, command) => {
  const blocked = await measureBlocking(() =>
    fixture.exec({ action: "run", command, pty: true, timeout: 20 }),
  );
  process.stdout.write(`blocked for ${blocked.toFixed(2)} of the reference\n`);
  expect(blocked).toBeLessThan(MAX_BLOCKING);
});
