// Bundles a program that runs without Next.js, and what it starts, into one file each: the one that is given,
// whose path it prints, such as by `npm run build:worker` for machines that cannot build, or the web server.
import { bundleProgram } from "./bundle-program.mjs";
import { SIDE_PROGRAMS } from "./side-programs.mjs";

const [given] = process.argv.slice(2);
const path = await bundleProgram(given ?? "src/server/http/server-process.ts");
for (const program of SIDE_PROGRAMS) await bundleProgram(program);
// A program reads it; the build of the server does not need it.
if (given !== undefined) console.log(path);
