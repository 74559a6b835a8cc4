import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { toPlainText } from "@/components/tool-cards/printable-text";
import ToolCall from "@/components/tool-cards/tool-call";
import type { ToolCallView } from "@/contract/chat-view";
import type { ExecResult } from "@/contract/exec";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const RED = "\u001b[31m";
const GREEN = "\u001b[32m";
const BOLD = "\u001b[1m";
const INVERSE = "\u001b[7m";
const END = "\u001b[0m";

const result: ExecResult = {
  status: "exited",
  exit_code: 0,
  output: `${BOLD}tides.test.ts${END}\n  ${GREEN}✓${END} springs run strong\n  ${GREEN}✓${END} neaps run weak\n\n2 passed\n`,
  duration_ms: 2_400,
};

const call = {
  tool_name: "exec",
  kind: "builtin" as const,
  args: { action: "run", command: "npm test -- tides" },
  args_text: '{"action":"run","command":"npm test -- ti',
  output: result as NonNullable<ToolCallView["output"]>,
};

/** The card has the text with its terminal codes, which the model does not read. */
const ended = (changes: Partial<ExecResult>, args: Record<string, unknown> = {}): ToolCallView => {
  const { output: shown, ...rest } = { ...result, ...changes };
  const plain = toPlainText(shown);
  const output = { ...rest, output: plain } as NonNullable<ToolCallView["output"]>;
  return {
    ...callInState({ ...call, args: { ...call.args, ...args }, output }, "completed"),
    ...(shown !== plain && { for_user: shown }),
  };
};

const live = (text: string, args: Record<string, unknown> = {}): ToolCallView => ({
  ...callInState({ ...call, args: { ...call.args, ...args } }, "running"),
  live_output: { text },
});

const meta = {
  component: ToolCall,
  args: { part: ended({}), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;
type Play = Parameters<NonNullable<Story["play"]>>[0];

const header = (canvas: Play["canvas"]) =>
  canvas.getByRole("button", { name: /^(Run command|Press keys|.* sessions?)/ });
const open = async ({ canvas, userEvent }: Play) => {
  await userEvent.click(header(canvas));
};

export const Completed: Story = {
  play: async (play) => {
    await expect(header(play.canvas)).toHaveTextContent("Done");
    await open(play);
    await expect(play.canvas.getByText("Exit code 0")).toBeVisible();
    const [mark] = play.canvas.getAllByText("✓");
    await expect(mark).toHaveStyle({ color: "rgb(111, 198, 145)" });
    await expect(play.canvas.getByRole("button", { name: "Copy output" })).toBeVisible();
  },
};

/** A command that fails is not a call that fails. */
export const ExitCode: Story = {
  args: { part: ended({ exit_code: 2, output: `${RED}1 failed${END}\n` }) },
  play: async (play) => {
    await expect(header(play.canvas)).toHaveTextContent("Exit code 2");
    await open(play);
    await expect(play.canvas.getByRole("group", { name: "Output" })).toHaveTextContent("1 failed");
  },
};

export const NoOutput: Story = {
  args: { part: ended({ output: "" }) },
  play: async (play) => {
    await open(play);
    await expect(play.canvas.getByText("no output")).toBeVisible();
  },
};

export const Killed: Story = {
  args: {
    part: ended(
      { status: "killed", signal: "SIGKILL", session_id: "3f9ac2d1" },
      { action: "kill", session_id: "3f9ac2d1", command: undefined },
    ),
  },
  play: async (play) => {
    await expect(header(play.canvas)).toHaveTextContent("Killed");
    await open(play);
    await expect(play.canvas.getByText("Killed by SIGKILL")).toBeVisible();
  },
};

/** The command was killed at its limit; the call itself did not time out. */
export const CommandTimedOut: Story = {
  args: {
    part: ended({ status: "timed_out", signal: "SIGKILL", output: "waiting for high tide\n" }),
  },
  play: async (play) => {
    await expect(header(play.canvas)).toHaveTextContent("Timed out");
    await open(play);
    await expect(play.canvas.getByText("Killed at the time limit")).toBeVisible();
    await expect(play.canvas.getByText("waiting for high tide")).toBeVisible();
  },
};

export const Background: Story = {
  args: {
    part: ended({ status: "running", session_id: "3f9ac2d1", output: "" }, { background: true }),
  },
  play: async (play) => {
    await expect(header(play.canvas)).toHaveTextContent("In background");
    await open(play);
    await expect(play.canvas.getByText("Session 3f9ac2d1")).toBeVisible();
  },
};

const SCREEN = `${[
  "  1 | high tide   06:12   5.1 m",
  "  2 | low tide    12:24   0.8 m",
  "  3 | high tide   18:37   5.3 m",
].join("\n")}\n\n${INVERSE}tides.txt (END)${END}`;

export const States: Story = showStates(meta, {
  Streaming: {
    args: { part: callInState(call, "streaming") },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByText("npm test -- ti")).toHaveLength(2);
      await expect(header(canvas)).toHaveTextContent("Preparing");
    },
  },
  Running: {
    args: { part: live("tides.test.ts\n  ✓ springs run strong\n") },
    play: async ({ canvas }) => {
      const output = canvas.getByRole("group", { name: "Output so far" });
      await expect(output).toHaveTextContent("springs run strong");
      await expect(header(canvas)).toHaveTextContent("Running");
    },
  },
  "Running, without output": { args: { part: callInState(call, "running") } },
  "Awaiting approval": {
    args: { part: callInState(call, "awaiting_approval") },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByText("npm test -- tides")).toHaveLength(2);
      await expect(header(canvas)).toHaveTextContent("Needs approval");
    },
  },
  Unknown: {
    args: {
      part: ended(
        { status: "unknown", session_id: "3f9ac2d1", output: "Nothing is known of this session." },
        { action: "read", session_id: "3f9ac2d1", command: undefined },
      ),
    },
    play: async ({ canvas }) => {
      await expect(header(canvas)).toHaveTextContent("Unknown");
    },
  },
  "Running, screen": { args: { part: live(SCREEN, { pty: true, command: "less tides.txt" }) } },
  "Long live output draws only its newest part, so that the page stays responsive": {
    args: {
      part: live(Array.from({ length: 40_000 }, (_, line) => `line ${line}`).join("\n")),
    },
    play: async ({ canvas }) => {
      const output = canvas.getByRole("group", { name: "Output so far" });
      await expect(output).toHaveTextContent(/line 39999$/);
      await expect(output.textContent?.length ?? 0).toBeLessThanOrEqual(16 * 1024);
    },
  },
});

/** The screen of a program that draws one, such as less. */
export const Screen: Story = {
  args: {
    part: ended(
      { status: "running", session_id: "3f9ac2d1", pty: true, output: SCREEN },
      { action: "send_keys", session_id: "3f9ac2d1", keys: ["down", "down"], command: undefined },
    ),
  },
  play: async (play) => {
    await expect(header(play.canvas)).toHaveTextContent("Press keys");
    await open(play);
    await expect(play.canvas.getByText("3f9ac2d1: down down")).toBeVisible();
    await expect(play.canvas.getByText("tides.txt (END)")).toHaveStyle({
      backgroundColor: "rgb(213, 220, 219)",
    });
  },
};

export const Sessions: Story = {
  args: {
    part: ended(
      {
        output: "",
        status: "running",
        sessions: [
          {
            session_id: "3f9ac2d1",
            command: "npm run dev",
            pty: true,
            status: "running" as const,
          },
          {
            session_id: "77b01e9c",
            command: "make charts",
            pty: false,
            status: "exited" as const,
            exit_code: 0,
          },
          {
            session_id: "0a11d2e4",
            command: "python3 -i",
            pty: true,
            status: "unknown" as const,
          },
        ].map((session) => ({ ...session, duration_ms: 64_000 })),
      },
      { action: "list", command: undefined },
    ),
  },
  play: async (play) => {
    await open(play);
    const list = play.canvas.getByRole("list", { name: "Sessions" });
    await expect(list).toHaveTextContent(/npm run dev.*Running in the background/);
    await expect(list).toHaveTextContent(/make charts.*Exit code 0/);
    await expect(list).toHaveTextContent(/python3 -i.*Unknown/);
  },
};

export const NoSessions: Story = {
  args: { part: ended({ output: "", sessions: [] }, { action: "list", command: undefined }) },
  play: async (play) => {
    await open(play);
    await expect(play.canvas.getByText("This chat has no sessions.")).toBeVisible();
  },
};

export const Failed: Story = {
  args: {
    part: { ...callInState(call, "error"), output: 'This chat has no session "00000000".' },
  },
  play: async (play) => {
    await open(play);
    await expect(play.canvas.getByText('This chat has no session "00000000".')).toBeVisible();
  },
};

export const Cut: Story = {
  args: {
    part: ended({
      truncated: true,
      output: `1\n2\n3\n\n[… 9961472 bytes left out …]\n\n1499999\n1500000\n`,
    }),
  },
  play: async (play) => {
    await open(play);
    await expect(play.canvas.getByText("A part of the output is not shown here.")).toBeVisible();
  },
};

export const TestLongOutput: Story = {
  name: "(Test) A very long output shows both ends",
  args: {
    part: ended({ output: Array.from({ length: 40_000 }, (_, line) => `line ${line}`).join("\n") }),
  },
  play: async (play) => {
    await open(play);
    const [head, tail] = play.canvas.getAllByRole("group", { name: "Output" });
    await expect(head).toHaveTextContent(/^line 0 line 1 /);
    await expect(tail).toHaveTextContent(/line 39999$/);
    await expect(play.canvas.getByText(/left out here/)).toBeVisible();
  },
};

export const TestProgressBar: Story = {
  name: "(Test) A line that a program has written again shows its last version",
  args: {
    part: ended({ output: "10 %\r50 %\r100 %\ndone\r\n\u001b[2K\u001b]0;title\u0007end\n" }),
  },
  play: async (play) => {
    await open(play);
    const output = play.canvas.getByRole("group", { name: "Output" });
    await waitFor(() => expect(output.textContent).toBe("100 %\ndone\nend\n"));
  },
};

export const TestWrongShape: Story = {
  name: "(Test) An output of another shape is shown as it is",
  args: { part: { ...ended({ output: "plain" }), output: { lines: ["a"] }, args: "half a com" } },
  play: async (play) => {
    await open(play);
    await expect(play.canvas.getByRole("group", { name: "Output" })).toHaveTextContent('"lines"');
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
