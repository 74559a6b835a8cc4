import { CHART_SCRIPT, SAMPLE_DATA } from "./chart-script";
import type { DemoPrompt } from "./parse-prompt";
import type { DemoCall } from "./parse-tool-calls";
import { formatMissingTools, formatSummary } from "./reply-texts";

type Scene = { text: string; toolName: string; input: object };
type Script = { needs: readonly string[]; scenes: readonly Scene[] };
type Played = { text: string; calls?: DemoCall[] };

const CHART = /^draw (?:me )?a chart (?:of|from) (?:the )?(?:file )?(?<path>[\w./-]*\w)[.!?]*$/i;
const TERMINAL = /^(?:open|try|show me) (?:a|the) terminal[.!?]*$/i;

/** Plays the next scene of a task of several steps; undefined for what is no such task. */
export const playScript = (
  question: string,
  prompt: DemoPrompt,
  toolNames: readonly string[],
): Played | undefined => {
  const script = findScript(question, prompt);
  if (!script) return undefined;
  const missing = script.needs.filter((name) => !toolNames.includes(name));
  if (missing.length > 0) return { text: formatMissingTools(missing) };
  const scenes = script.scenes.filter(({ toolName }) => toolNames.includes(toolName));
  // The first scene may fail: the file that it reads need not exist.
  const hasFailed = prompt.batches > 1 && prompt.results.some(({ isError }) => isError);
  const scene = hasFailed ? undefined : scenes[prompt.batches];
  if (!scene) return { text: formatSummary(prompt.results) };
  const { text, toolName, input } = scene;
  return { text, calls: [{ toolName, input: JSON.stringify(input) }] };
};

const findScript = (question: string, prompt: DemoPrompt): Script | undefined => {
  const path = CHART.exec(question)?.groups?.path;
  if (path !== undefined) return createChartScript(path, prompt);
  return TERMINAL.test(question) ? createTerminalScript(prompt) : undefined;
};

const createChartScript = (path: string, { allResults }: DemoPrompt): Script => {
  const sample: Scene = {
    text: `There is no ${path} that I can read, so I write one with example numbers.`,
    toolName: "write_file",
    input: { path, content: SAMPLE_DATA },
  };
  return {
    needs: ["read_file", "write_file", "exec"],
    scenes: [
      {
        text: `First I look at what ${path} contains.`,
        toolName: "read_file",
        input: { path },
      },
      ...(allResults[0]?.isError ? [sample] : []),
      {
        text: "A small script can draw it: one bar for each line.",
        toolName: "write_file",
        input: { path: "chart.sh", content: CHART_SCRIPT, overwrite: true },
      },
      {
        text: "Now I run the script in the sandbox.",
        toolName: "exec",
        input: { action: "run", command: `sh chart.sh ${path} chart.gif` },
      },
      {
        text: "Before you get the picture, I look at it myself.",
        toolName: "load_image",
        input: { path: "chart.gif" },
      },
      {
        text: "The bars are there. Here is your chart.",
        toolName: "deliver_file",
        input: { path: "chart.gif" },
      },
    ],
  };
};

const createTerminalScript = ({ allResults }: DemoPrompt): Script => {
  const sessionId = /"session_id":\s*"([^"]+)"/.exec(allResults[0]?.output ?? "")?.[1] ?? "unknown";
  const scene = (text: string, action: string, fields: object = {}): Scene => ({
    text,
    toolName: "exec",
    input: { action, session_id: sessionId, ...fields },
  });
  return {
    needs: ["exec"],
    scenes: [
      {
        text: "I start a shell in a terminal of its own.",
        toolName: "exec",
        input: { action: "run", command: "sh", pty: true, background: true },
      },
      scene("I ask it how large the terminal is.", "write", { data: "tty && stty size\n" }),
      scene("I press Ctrl+D, which ends the shell.", "send_keys", { keys: "ctrl-d" }),
      scene("I look at what is left.", "poll", { timeout: 5 }),
    ],
  };
};
