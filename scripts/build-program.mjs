// Bundles a program that runs without Next.js into one file and prints its path, for example
// `npm run build:worker` for machines that cannot build.
import { bundleProgram } from "./bundle-program.mjs";

console.log(await bundleProgram(process.argv[2]));
