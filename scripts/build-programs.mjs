// Bundles the programs that the web server consists of besides Next's build.
import { bundleProgram } from "./bundle-program.mjs";

const PROGRAMS = ["src/server/http/server-process.ts"];

for (const entry of PROGRAMS) await bundleProgram(entry);
