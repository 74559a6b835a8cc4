// npm run build:worker: bundles the worker into one file, for machines that cannot build.
import { bundleProgram } from "./bundle-program.mjs";

console.log(await bundleProgram("src/server/worker/worker-process.ts"));
