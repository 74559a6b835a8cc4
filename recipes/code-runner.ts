import { writeFile } from "node:fs/promises";
import { defineRecipe, z } from "parley/recipes";
import { findEngine, runInContainer } from "./lib/container.ts";

/** By language: the program of the sandbox, and the image of a container with its command, which reads the code from stdin. */
const LANGUAGES = {
  python: {
    program: "python3",
    image: "docker.io/library/python:3-slim",
    command: ["python", "-"],
  },
  javascript: { program: "node", image: "docker.io/library/node:lts-slim", command: ["node", "-"] },
  sh: { program: "sh", image: "docker.io/library/busybox:stable", command: ["sh", "-s"] },
} as const;

const TIMEOUT_SECONDS = 120;

const language = z.enum(["python", "javascript", "sh"]);

export default defineRecipe({
  name: "code_runner",
  description:
    "Runs a short program in Python, JavaScript or sh, without network and without the files of this chat, and returns what it prints.",
  parameters: z.object({ language, code: z.string().min(1).max(100_000) }),
  example: { language: "python", code: "print('Hello World')" },
  systemPrompt:
    "Use code_runner to calculate, and to check code that you have written. Print what you want to read.",
  opts: { timeoutSeconds: TIMEOUT_SECONDS },
  preCmd: (env, { code }) => writeFile(env.temp_file, code),
  steps: [],
  handlers: {
    // A container has the latest version of each language, the sandbox what the server has.
    setup: async ({ language, code }, { addStep }) => {
      const { program, image, command } = LANGUAGES[language];
      const engine = await findEngine();
      if (engine === undefined) addStep([program, "${temp_file}"]);
      else {
        addStep((_request, { signal, emit }) =>
          runInContainer(engine, {
            image,
            command,
            timeoutSeconds: TIMEOUT_SECONDS,
            input: code,
            signal,
            emit,
          }),
        );
      }
    },
  },
  outputErrorPrompt: "The program has failed.\n\n${output}",
});
