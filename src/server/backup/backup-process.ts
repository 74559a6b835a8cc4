import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { appSecret, env } from "@/server/env";
import { formatCount, printFailure, readFileArgument } from "./command-line";
import { writeBackup } from "./write-backup";

/** A program that writes a backup, also while the server runs. */
const run = async (): Promise<void> => {
  process.umask(0o077);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { force: { type: "boolean" }, "with-secret": { type: "boolean" } },
  });
  const file = readFileArgument(positionals, "npm run backup -- FILE [--with-secret] [--force]");
  removeOnSignal(`${file}.incomplete`);
  const settings = env();
  const withSecret = values["with-secret"] === true;
  const { rows, files, bytes, leftOut } = await writeBackup({
    file,
    settings: { ...settings, poolSize: 1 },
    force: values.force === true,
    secret: withSecret ? appSecret(settings) : undefined,
    now: new Date(),
  });
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `${file} has ${formatCount(rows.chat ?? 0, "chat")}, ${formatCount(all, "row")} and ${formatCount(files, "file")} of the data directory, in ${formatCount(bytes, "byte")}.\n`,
  );
  if (leftOut.length > 0)
    process.stdout.write(
      `${formatCount(leftOut.length, "file")} could not be read, or lies too deep, such as ${JSON.stringify(leftOut[0])}.\n`,
    );
  process.stdout.write(
    withSecret
      ? "It has the server's secret: whoever reads it can read all stored keys.\n"
      : `The server's secret is not in it: keep ${settings.secret === null ? path.join(settings.dataDir, "secret") : "PARLEY_SECRET"} in another place, or add it with --with-secret.\n`,
  );
};

/** The copy of a database would take space until the next backup to the same file. */
const removeOnSignal = (scratch: string): void => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => {
      rmSync(scratch, { recursive: true, force: true });
      process.exit(code);
    });
};

try {
  await run();
} catch (error) {
  printFailure("No backup was written.", error);
}
