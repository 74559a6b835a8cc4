import { parseArgs } from "node:util";
import { env } from "@/server/env";
import { formatCount, printFailure, readFileArgument } from "./command-line";
import { restoreBackup, type RestoredBackup } from "./restore-backup";

/** A program that restores a backup into an empty database. */
const run = async (): Promise<void> => {
  process.umask(0o077);
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const file = readFileArgument(positionals, "npm run restore -- FILE");
  const settings = env();
  const restored = await restoreBackup({
    file,
    settings: { ...settings, poolSize: 1 },
    secret: settings.secret,
  });
  if (!restored) {
    process.stdout.write("The restore that was interrupted had ended: start Parley.\n");
    return;
  }
  const { rows, files } = restored;
  process.stdout.write(
    `Restored ${formatCount(rows.chat ?? 0, "chat")} and ${formatCount(files, "file")} of the data directory. Start Parley.\n`,
  );
  for (const line of describeSecret(restored, file)) process.stdout.write(`${line}\n`);
};

const describeSecret = (
  { unreadable: { models, mcpServers }, hasSecret }: RestoredBackup,
  file: string,
): string[] => {
  const lines: string[] = [];
  if (models.length > 0)
    lines.push(
      `${formatCount(models.length, "key")} of models cannot be read: ${models.join(", ")}.`,
    );
  if (mcpServers.length > 0)
    lines.push(
      `${formatCount(mcpServers.length, "secret")} of MCP servers cannot be read: ${mcpServers.join(", ")}.`,
    );
  if (lines.length > 0 && hasSecret === undefined)
    lines.push("Use the secret of the server that was backed up, or enter them again.");
  if (hasSecret === false)
    lines.push(
      `PARLEY_SECRET is not that of the backup, which \`tar -xzOf ${file} secret\` prints.`,
    );
  if (hasSecret !== true) lines.push("With another secret everyone signs in again.");
  return lines;
};

try {
  await run();
} catch (error) {
  printFailure("Nothing was restored.", error);
}
