import { MAX_AWAITED_AGENTS } from "@/contract/limits";
import type { DemoResult } from "./parse-prompt";
import type { DemoCall } from "./parse-tool-calls";

/**
 * The phrases that call tools: an example, and the pattern, in which `{name}` is the path of a file, `"{name}"` a quoted
 * text, and `{name…}` any text. The first one that matches counts.
 */
const PHRASES: Record<string, [example: string, pattern: string]> = {
  web_fetch: ["fetch https://example.com", "(?:fetch|open|read|summari[sz]e) {url}"],
  web_search: ["search the web for blue whales", "search the web for {query…}"],
  exec: ["run `sleep 5` in the background and report", "run `(?<command>[^`]+)`(?<how>[^`]*)"],
  list_directory: ["list the files", "(?:list|show me|what)(?: the| all| my)* files\\b.*"],
  read_file: ["read notes.md", "(?:read|show me|open) {path}"],
  append_file: ['append "more" to notes.md', 'append "{content}" to {path}'],
  write_file: ['write "Hello" to notes.md', 'write "{content}" to {path}'],
  edit_file: ['replace "a" with "b" in a.txt', 'replace "{old_text}" with "{new_text}" in {path}'],
  move_file: ["rename notes.md to diary.md", "(?:rename|move) {from} to {to}"],
  delete_file: ["delete diary.md", "delete {path}"],
  search_files: ['search for "Hello"', 'search for "{pattern}"(?: in {path})?'],
  load_image: ["look at chart.gif", "look at {path}"],
  deliver_file: ["give me chart.gif", "(?:deliver|give me|send me) {path}"],
  save_artifact: ["save artifact <id> as a.txt", "save(?: the)? artifact {artifact_id} as {path}"],
  ask_user_question: ["ask me where to go", "ask me {subject…}"],
  todo_write: ["make a plan for a trip", "(?:make|write)(?: me)? a plan (?:for|to) {goal…}"],
  set_timer: ["remind me in 5 seconds to rest", "(?:remind me|later) (?:in {time} to )?{note…}"],
  spawn_agent: ["spawn 3 agents to write 100 words", "spawn {count} agents? to {prompt…}"],
  wait_agent: [
    "spawn 2 agents to write 9 words then wait",
    "wait(?: for (?:it|them|the agents?))?",
  ],
  delegate: ["delegate write 100 words", "delegate(?! with \\{)(?: to)? {prompt…}"],
  current_time: ["what time is it?", "what(?: time is it| is the time|'s the time).*"],
};

type Groups = Readonly<Record<string, string>>;

/** The arguments of a tool, or of each of its calls, where they are not the groups of the pattern. */
const INPUTS: Record<string, (groups: Groups, results: readonly DemoResult[]) => object> = {
  exec: ({ command, how = "" }) => ({
    action: "run",
    command,
    ...(/terminal/i.test(how) && { pty: true }),
    ...(/background|report/i.test(how) && { background: true }),
    ...(/report/i.test(how) && { report_on_exit: true }),
  }),
  edit_file: ({ path, ...edit }) => ({ path, edits: [edit] }),
  ask_user_question: ({ subject = "" }) => {
    const question = `${subject.charAt(0).toUpperCase()}${subject.slice(1)}?`;
    const options = ["Somewhere quiet", "Somewhere busy", "Surprise me"].map((label) => ({
      label,
    }));
    return { questions: [{ header: "Your choice", question, options, multi_select: false }] };
  },
  todo_write: ({ goal }) => {
    const later = ["Take the first step", "Look at the result"];
    const first = { content: `Find out what is needed for ${goal}`, status: "in_progress" };
    return { todos: [first, ...later.map((content) => ({ content, status: "pending" }))] };
  },
  set_timer: ({ amount = "3", unit = "", note }) => ({
    seconds: Number(amount) * (/minute/i.test(unit) ? 60 : 1),
    note,
  }),
  spawn_agent: ({ count, prompt }) =>
    Array.from({ length: Number(count) || 1 }, (_, at) => ({ prompt, title: `Agent ${at + 1}` })),
  wait_agent: (_groups, results) => {
    const ids = results.flatMap(({ output }) => /"chat_id":\s*"([^"]+)"/.exec(output)?.[1] ?? []);
    return ids.length === 0 ? [] : { chat_ids: ids.slice(0, MAX_AWAITED_AGENTS) };
  },
  delegate: ({ prompt }) => ({ prompt, title: "Delegated work" }),
};

const toRegExp = (pattern: string): RegExp => {
  const source = pattern
    .replace("{url}", String.raw`(?<url>https?://\S+?)`)
    .replace("{count}", String.raw`(?<count>\d\d?|an?)`)
    .replace("{time}", String.raw`(?<amount>\d+) (?<unit>second|minute)s?`)
    .replaceAll(/"\{(\w+)\}"/g, '["“](?<$1>[^"”]*)["”]')
    .replaceAll(/\{(\w+)…\}/g, "(?<$1>.+?)")
    .replaceAll(/\{([a-z_]+)\}/g, String.raw`(?:the )?(?:file )?(?<$1>[\w./-]*\w)`);
  return new RegExp(`^${source}$`, "is");
};

/** Without an expression, which would read many marks, or spaces, once for each of them. */
const trimMarks = (text: string): string => {
  let end = text.length;
  while (".!?".includes(text.charAt(end - 1)) && end > 0) end -= 1;
  return text.slice(0, end).trim();
};

/**
 * Parses a phrase into the calls that it asks for, if their tool is offered.
 *
 * @param results of the tools that were called since the question.
 */
export const parsePhrase = (
  text: string,
  toolNames: readonly string[],
  results: readonly DemoResult[],
): DemoCall[] => {
  for (const [toolName, [, pattern]] of Object.entries(PHRASES)) {
    const match = toolNames.includes(toolName)
      ? toRegExp(pattern).exec(trimMarks(text.trim()))
      : null;
    if (!match) continue;
    const input = INPUTS[toolName]?.(match.groups ?? {}, results) ?? { ...match.groups };
    return [input].flat().map((one) => ({ toolName, input: JSON.stringify(one) }));
  }
  return [];
};

/** Lists an example for each of the tools. */
export const listExamples = (toolNames: readonly string[]): string[] =>
  Object.entries(PHRASES).flatMap(([name, [example]]) => (toolNames.includes(name) ? example : []));
