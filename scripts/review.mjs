// npm run review -- <commit>: shows which stories look different since a commit, see tooling/review/review-process.ts.
import { ensureInstalled } from "./ensure-installed.mjs";
import { runProgram } from "./run-program.mjs";

const node = await ensureInstalled();
process.exit(
  await runProgram(node, ["tooling/review/review-process.ts", ...process.argv.slice(2)]),
);
