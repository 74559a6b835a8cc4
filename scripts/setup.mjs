// npm run setup: brings a fresh clone to where every other command works.
import { ensureInstalled } from "./ensure-installed.mjs";
import { runProgram } from "./run-program.mjs";

const node = await ensureInstalled();
process.exit(await runProgram(node, ["node_modules/prisma/build/index.js", "generate"]));
