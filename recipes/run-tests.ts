import { type CommandStep, defineRecipe, z } from "parley/recipes";

/** How each runner is started; arguments come after. */
const COMMANDS = {
  npm: ["npm", "test", "--"],
  node: ["node", "--test"],
  pytest: ["python3", "-m", "pytest"],
  unittest: ["python3", "-m", "unittest"],
  cargo: ["cargo", "test"],
  go: ["go", "test"],
  make: ["make", "test"],
} as const satisfies Record<string, CommandStep>;

const RUNNERS = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

export default defineRecipe({
  name: "run_tests",
  description: "Runs the tests in the files of this chat, and reports what they print.",
  parameters: z.object({
    runner: z.enum(RUNNERS),
    args: z
      .array(z.string().max(1_000))
      .max(50)
      .default([])
      .describe("Further arguments, such as the name of a file"),
  }),
  example: { runner: "unittest", args: ["-v"] },
  opts: { workspace: "chat", timeoutSeconds: 600 },
  env: ({ args }) => Object.fromEntries(args.map((value, index) => [`arg${index}`, value])),
  steps: [],
  handlers: {
    setup: ({ runner, args }, { addStep }) => {
      const values = args.map((_, index) => `\${arg${index}}`);
      addStep([...COMMANDS[runner], ...values]);
    },
  },
  // Several runners write their report to stderr.
  outputPrompt: "The tests have passed.\n\n${output}",
  outputErrorPrompt: "The tests have failed, or could not be run.\n\n${output}",
});
