import { basename, join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");

/**
 * Bundles a program that runs without Next.js into one file. Packages stay external.
 *
 * @param {string} entry path from the repository's root.
 * @returns path of the bundle.
 */
export const bundleProgram = async (entry) => {
  const name = basename(entry).replace(/\.ts$/, ".mjs");
  const outDir = join(root, ".next/programs");
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    resolve: { alias: { "@": join(root, "src") } },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      sourcemap: true,
      target: "node22",
      rolldownOptions: { output: { entryFileNames: name, codeSplitting: false } },
    },
  });
  return join(outDir, name);
};
