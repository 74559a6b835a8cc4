// Bundles programs that run without Next.js into one file each, and prints the path of the first: those
// that are given, such as by `npm run build:worker` for machines that cannot build, or the web server's.
import { bundleProgram } from "./bundle-program.mjs";

const SERVER_PROGRAMS = [
  "src/server/http/server-process.ts",
  "src/server/tools/validation-thread.ts",
];

const given = process.argv.slice(2);
const [entry, ...others] = given.length > 0 ? given : SERVER_PROGRAMS;
const path = await bundleProgram(entry);
for (const other of others) await bundleProgram(other);
// A program reads it; the build of the server does not need it.
if (given.length > 0) console.log(path);
