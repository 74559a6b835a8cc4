// npm run dev: installs missing packages and starts the development server.
import { ensureInstalled } from "./ensure-installed.mjs";
import { loadEnvFile } from "./load-env-file.mjs";
import { runProgram } from "./run-program.mjs";
import { serve } from "./serve.mjs";

loadEnvFile();
const node = await ensureInstalled();
const steps = [
  () => runProgram(node, ["node_modules/prisma/build/index.js", "generate"]),
  () => runProgram(node, ["scripts/build-programs.mjs"]),
  () => serve(node, "dev"),
];
for (const step of steps) {
  const code = await step();
  if (code !== 0) process.exit(code);
}
