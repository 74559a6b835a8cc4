// npm run build:worker: the worker as one file, for where nothing can be built.
import { bundleProgram } from "./bundle-program.mjs";

console.log(await bundleProgram("src/server/worker/worker-process.ts"));
