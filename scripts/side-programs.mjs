/**
 * Programs of threads and processes, which every server and worker may start, and what modules of recipes import;
 * none of them can load TypeScript.
 */
export const SIDE_PROGRAMS = [
  "src/server/documents/html-thread.ts",
  "src/server/documents/pdf-thread.ts",
  "src/server/exec/terminal-thread.ts",
  "src/server/tools/validation/validation-thread.ts",
  "src/server/recipes/files/recipe-check-process.ts",
  "src/recipes/define-recipe.ts",
];
