// npm run dev: installs missing packages and starts the development server.
import { ensureInstalled } from "./ensure-installed.mjs";
import { loadEnvFile } from "./load-env-file.mjs";
import { runProgram } from "./run-program.mjs";
import { serve } from "./serve.mjs";

loadEnvFile();
const node = await ensureInstalled();
const code = await runProgram(node, ["node_modules/prisma/build/index.js", "generate"]);
process.exit(code || (await serve(node, "dev")));
