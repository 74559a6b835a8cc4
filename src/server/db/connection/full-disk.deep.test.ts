import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findNamespaceLauncher } from "@/test/namespaces";
import { bundleTestProgram } from "@/test/start-program";

/** Three starts of an embedded database on a busy machine. */
const TIMEOUT_MS = 600_000;

/** Fills a small disk, starts again while it is full, frees space, and reads what is there. */
const SCRIPT = `
mount -t tmpfs -o size=128m tmpfs "$1" || exit 1
export PARLEY_DATA_DIR="$1/data"
head -c 24m /dev/zero > "$1/ballast"
"$2" "$3"; echo "exit $?"
echo "start on the full disk"
"$2" "$4"; echo "exit $?"
rm "$1/ballast"
echo "start with space"
"$2" "$4"; echo "exit $?"
`;

/** Mounts a small disk that every account may use, and runs a program with its data there. */
const POSTGRES_SCRIPT = `
mount -t tmpfs -o size=200m,mode=1777 tmpfs "$1" || exit 1
head -c 24m /dev/zero > "$1/ballast"
shift
exec "$@"
`;

/**
 * Migrates the server's database, then starts the program. Servers of tests acknowledge commits before they are
 * written; here they are written first, as by default.
 */
const MIGRATE_SCRIPT = `
export DATABASE_URL="$TEST_DATABASE_URL?options=-c%20synchronous_commit%3Don"
"$1" scripts/db-migrate.mjs > /dev/null && exec "$@"
`;

describe("the embedded database on a disk that becomes full", () => {
  let directory: string;
  let output: string[];
  beforeAll(async () => {
    directory = mkdtempSync(path.join(os.tmpdir(), "parley-full-disk-"));
    const programs = [
      await bundleTestProgram("disk-filler"),
      await bundleTestProgram("key-reader"),
    ];
    const [command = "", ...launcher] = findNamespaceLauncher(["--mount"]);
    const { stdout } = await promisify(execFile)(
      command,
      [
        ...launcher,
        "sh",
        "-c",
        `{ ${SCRIPT} } 2>&1`,
        "sh",
        directory,
        process.execPath,
        ...programs,
      ],
      {
        env: { PATH: process.env.PATH, LOG_LEVEL: "fatal", NODE_ENV: "production" },
        maxBuffer: 2 ** 26,
        timeout: TIMEOUT_MS,
      },
    );
    output = stdout.split("\n");
  }, TIMEOUT_MS);
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const between = (first: string | undefined, last: string | undefined): string[] =>
    output.slice(
      first === undefined ? 0 : output.indexOf(first),
      last === undefined ? undefined : output.indexOf(last),
    );

  it("refuses writes and goes on while its log has space", () => {
    const lines = between(undefined, "start on the full disk");
    expect(lines).toContainEqual(
      expect.stringMatching(/^failed DomainError: The database accepts no changes now/),
    );
    expect(lines.filter((line) => line.startsWith("update "))).not.toEqual([]);
  });

  it("ends its process with a sentence and a code, and fails the liveness probe before", () => {
    const lines = between(undefined, "start on the full disk");
    expect(lines).toContain("healthz 200");
    expect(lines).toContain("healthz 503");
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^Parley stops, because its embedded database failed: could not write to file .*: No space left on device\. .*Free disk space/,
      ),
    );
    expect(lines.at(-1)).toBe("exit 74");
  });

  it("does not start while the disk is full, and says why", () => {
    const lines = between("start on the full disk", "start with space");
    expect(lines).toContain(
      `Parley cannot start. The embedded database in ${directory}/data/pg cannot be opened, because its disk is full: ` +
        "free at least 32 MB, then start again.",
    );
    expect(lines.at(-1)).toBe("exit 1");
  });

  it("has all that was acknowledged when it starts with space again", () => {
    const rows = output.flatMap((line) => /^row (\d+)$/.exec(line)?.[1] ?? []);
    const lines = between("start with space", undefined);
    expect(rows.length).toBeGreaterThan(20);
    // The first row was overwritten with numbers.
    const missing = rows.slice(1).filter((number) => !lines.includes(`key row-${number}`));
    expect(missing).toEqual([]);
    const lastUpdate = output.findLast((line) => line.startsWith("update "))?.split(" ")[1];
    const stored = lines.find((line) => line.startsWith("key row-0 "))?.split(" ")[2];
    expect(Number(stored)).toBeGreaterThanOrEqual(Number(lastUpdate));
    expect(lines).toContain("exit 0");
  });
});

describe("PostgreSQL on a disk that becomes full", () => {
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL does not run as root, which an ordinary user is inside of a namespace that may mount.
  const [launcher, leaveRoot] = isRoot
    ? [["unshare", "--mount"], []]
    : [findNamespaceLauncher(["--mount"]), ["unshare", "--user", "--map-user=1000"]];

  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), "parley-full-disk-"));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  it(
    "refuses writes while the disk is full, and goes on by itself with all that was acknowledged",
    async () => {
      const program = await bundleTestProgram("postgres-disk-filler");
      const [command = "", ...args] = launcher;
      const { stdout } = await promisify(execFile)(
        command,
        [
          ...args,
          "sh",
          "-c",
          POSTGRES_SCRIPT,
          "sh",
          directory,
          ...leaveRoot,
          process.execPath,
          "scripts/with-postgres.mjs",
          "sh",
          "-c",
          MIGRATE_SCRIPT,
          "sh",
          process.execPath,
          program,
          `${directory}/ballast`,
        ],
        {
          env: {
            PATH: process.env.PATH,
            TMPDIR: directory,
            PARLEY_DATA_DIR: `${directory}/data`,
            PARLEY_SECRET: "x".repeat(32),
            LOG_LEVEL: "fatal",
            NODE_ENV: "production",
          },
          maxBuffer: 2 ** 26,
          timeout: TIMEOUT_MS,
        },
      );
      const lines = stdout.split("\n");
      const failures = lines.filter((line) => line.startsWith("failed "));
      expect(failures).not.toEqual([]);
      // When its log has no space, PostgreSQL ends all connections and then itself.
      for (const line of failures)
        expect(line).toMatch(
          /^failed DomainError: The (database accepts no changes|database cannot be|connection to the database is lost)/,
        );
      const rows = lines.flatMap((line) => /^row (\d+)$/.exec(line)?.[1] ?? []);
      expect(rows.length).toBeGreaterThan(20);
      expect(rows.filter((number) => !lines.includes(`key row-${number}`))).toEqual([]);
      expect(lines.indexOf(`row ${rows.at(-1)}`)).toBeGreaterThan(lines.indexOf("freed"));
    },
    TIMEOUT_MS,
  );
});
