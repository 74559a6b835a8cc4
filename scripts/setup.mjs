// npm run setup: prepares a fresh clone for every other command.
import { ensureInstalled } from "./ensure-installed.mjs";
import { runProgram } from "./run-program.mjs";

const node = await ensureInstalled();
process.exit(await runProgram(node, ["node_modules/prisma/build/index.js", "generate"]));
