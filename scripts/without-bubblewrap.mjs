// without-bubblewrap.mjs <command> …: as root, runs the command where bubblewrap is not installed. Other processes of the
// machine do not notice.
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./run-program.mjs";

/** Lays a folder in memory over that of the programs, in a namespace of its own, and removes bubblewrap there. */
const SCRIPT = `
set -e
mount -t tmpfs tmpfs "$1"
mkdir -m 755 "$1/upper" "$1/work"
mount -t overlay overlay -o "lowerdir=/usr/bin,upperdir=$1/upper,workdir=$1/work" /usr/bin
rm -f /usr/bin/bwrap
shift
exec "$@"
`;

const command = process.argv.slice(2);
if (command.length === 0 || process.getuid?.() !== 0) {
  console.error("usage, as root: node scripts/without-bubblewrap.mjs <command> [argument …]");
  process.exit(2);
}
const layer = mkdtempSync(join(tmpdir(), "parley-layer-"));
const code = await runProgram("unshare", ["--mount", "sh", "-c", SCRIPT, "sh", layer, ...command]);
rmdirSync(layer);
process.exit(code);
