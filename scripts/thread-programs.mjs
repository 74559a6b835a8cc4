/** Programs of threads, which every server and worker may start; a thread cannot load TypeScript. */
export const THREAD_PROGRAMS = [
  "src/server/documents/html-thread.ts",
  "src/server/documents/pdf-thread.ts",
  "src/server/tools/validation-thread.ts",
];
