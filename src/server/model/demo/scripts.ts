import drawChart from "./draw-chart.sh?raw";
import type { DemoPrompt } from "./parse-prompt";
import type { DemoCall } from "./parse-tool-calls";
import { formatMissingTools, formatOutcome } from "./reply-texts";

type Step = [text: string, toolName: string, input: object];

/** Data for a person who has none yet. */
const SAMPLE_DATA = "month,visitors\nJanuary,120\nFebruary,185\nMarch,90\nApril,240\n";

const CHART = /^draw (?:me )?a chart (?:of|from) (?:the )?(?:file )?(?<path>[\w./-]*\w)[.!?]*$/i;
const TERMINAL = /^(?:open|try|show me) (?:a|the) terminal[.!?]*$/i;

/** Takes the next step of a task of several steps; undefined for what is no such task. */
export const continueScript = (
  { question, step, results, allResults: [first] }: DemoPrompt,
  toolNames: readonly string[],
): { text: string; calls?: DemoCall[] } | undefined => {
  const path = CHART.exec(question)?.groups?.path;
  const terminal = TERMINAL.test(question) ? createTerminalSteps(first?.output) : undefined;
  const steps = path === undefined ? terminal : createChartSteps(path, first?.isError !== true);
  if (!steps) return undefined;
  const missing = steps.map(([, name]) => name).filter((name) => !toolNames.includes(name));
  if (missing.length > 0) return { text: formatMissingTools([...new Set(missing)]) };
  // The first step may fail: the file that it reads need not exist.
  const hasFailed = step > 1 && results.some(({ isError }) => isError);
  const next = steps[step];
  if (!next || hasFailed) return { text: formatOutcome(results, []) };
  const [text, toolName, input] = next;
  return { text, calls: [{ toolName, input: JSON.stringify(input) }] };
};

const createChartSteps = (path: string, hasFile: boolean): Step[] => {
  const sample = `There is no ${path} that I can read, so I write one with example numbers.`;
  const script = { path: "chart.sh", content: drawChart, overwrite: true };
  const run = { action: "run", command: `sh chart.sh ${path} chart.gif` };
  const steps: Step[] = [
    [`First I look at what ${path} contains.`, "read_file", { path }],
    [sample, "write_file", { path, content: SAMPLE_DATA }],
    ["A small script can draw it: one bar for each line.", "write_file", script],
    ["Now I run the script in the sandbox.", "exec", run],
    ["Before you get the picture, I look at it myself.", "load_image", { path: "chart.gif" }],
    ["The bars are there. Here is your chart.", "deliver_file", { path: "chart.gif" }],
  ];
  return hasFile ? steps.toSpliced(1, 1) : steps;
};

const createTerminalSteps = (firstOutput = ""): Step[] => {
  const session_id = /"session_id":\s*"([^"]+)"/.exec(firstOutput)?.[1] ?? "unknown";
  const start = { action: "run", command: "sh", pty: true, background: true };
  const ask = { action: "write", session_id, data: "tty && stty size\n" };
  const end = { action: "send_keys", session_id, keys: "ctrl-d" };
  return [
    ["I start a shell in a terminal of its own.", "exec", start],
    ["I ask it how large the terminal is.", "exec", ask],
    ["I press Ctrl+D, which ends the shell.", "exec", end],
    ["I look at what is left.", "exec", { action: "poll", session_id, timeout: 5 }],
  ];
};
