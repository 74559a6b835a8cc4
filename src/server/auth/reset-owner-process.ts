import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { appDatabase } from "@/server/db/connection/app-database";
import { resetOwner } from "./reset-owner";

/** A program that sets a new password for an owner who has lost it. */
const run = async (): Promise<void> => {
  // Files that the embedded database creates are readable by this account only, like those of the server.
  process.umask(0o077);
  const { values } = parseArgs({ options: { "password-stdin": { type: "boolean" } } });
  const isGiven = values["password-stdin"] === true;
  const given = isGiven ? (await text(process.stdin)).split(/\r?\n/)[0] : null;
  const db = appDatabase();
  try {
    const { email, password } = await resetOwner(db, given ?? null);
    process.stdout.write(`E-mail:   ${email}\n`);
    // A given password is known, and may stay out of logs.
    process.stdout.write(isGiven ? "The password is set.\n" : `Password: ${password}\n`);
    process.stdout.write("All browsers are signed out. API keys still work.\n");
  } finally {
    await db.close();
  }
};

try {
  await run();
} catch (error) {
  process.stderr.write(
    `The password was not changed. ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
