import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ReportMessage from "@/components/chat/report-message";
import type { ReportPart } from "@/contract/part";
import { showStates } from "../show-states";
import { id } from "./fixtures";

const AGENT_CHAT = id(31);
const FILE = { id: id(21), name: "libraries.csv", media_type: "text/csv", size: 2_048 };

const report: ReportPart = {
  type: "report",
  task_id: "0198c0de-0000-7000-8000-000000000011",
  tool_call_id: "call_1",
  kind: "tool",
  label: "Compare the libraries",
  state: "completed",
  output:
    "**pino** is the fastest of the three.\n\n| library | ops/s |\n|---|---|\n| pino | 120,000 |",
  artifacts: [],
};
const getReports = (...changes: Partial<ReportPart>[]) => ({
  parts: changes.map((change, index) => ({
    ...report,
    task_id: `${report.task_id.slice(0, -1)}${index}`,
    ...change,
  })),
});

const meta = {
  component: ReportMessage,
  args: { message: getReports({}), onNavigate: fn() },
} satisfies Meta<typeof ReportMessage>;
export default meta;
type Story = StoryObj<typeof meta>;

const agent: Story = {
  args: {
    message: getReports({
      kind: "agent",
      label: "Measure pino",
      agent_chat_id: AGENT_CHAT,
      artifacts: [FILE, { ...FILE, id: id(2), name: "pino.png", media_type: "image/png" }],
    }),
    askedBy: { call_1: { toolName: "spawn_agent", seq: 4 } },
  },
};

export const States: Story = showStates(meta, {
  Completed: {},
  Failed: {
    args: { message: getReports({ state: "failed", output: "The task failed: no disk." }) },
  },
  Cancelled: { args: { message: getReports({ state: "cancelled", output: "Cancelled." }) } },
  Unknown: {
    args: { message: getReports({ state: "unknown", output: "Unknown: the server stopped." }) },
  },
  "Several reports of one message are apart": {
    args: {
      message: getReports({}, { label: "Read the manual", state: "failed", output: "It is gone." }),
    },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("article")).toHaveLength(2);
      await expect(canvas.getByText("Failed")).toBeVisible();
    },
  },
  Data: { args: { message: getReports({ output: { fastest: "pino" } }) } },
  "A report has its label, its state and the text for the person": {
    args: {
      message: getReports({
        for_user: "The table is in the file.",
        artifacts: [FILE],
      }),
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("article", { name: /Compare the libraries/ })).toBeVisible();
      await expect(canvas.getByText("Done")).toBeVisible();
      await expect(await canvas.findByText("The table is in the file.")).toBeVisible();
      await expect(canvas.queryByText(/fastest of the three/)).toBeNull();
      await expect(canvas.getByRole("link", { name: /libraries.csv/ })).toBeVisible();
    },
  },
  Agent: agent,
  "The report of a command is its output and how it has ended": {
    args: {
      message: getReports({
        kind: "command",
        label: "npm test",
        state: "failed",
        output: {
          session_id: "1f2e3d4c",
          status: "exited",
          exit_code: 1,
          duration_ms: 61_000,
          output: "ok 1\nnot ok 2\n",
        },
      }),
    },
    play: async ({ canvas }) => {
      const report = canvas.getByRole("article", { name: "Report: npm test" });
      await expect(report).toHaveTextContent("Failed");
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("not ok 2");
      await expect(report).toHaveTextContent("Exit code 1");
    },
  },
  "Long label": {
    args: { message: getReports({ label: "Compare every logging library there is ".repeat(6) }) },
  },
  "The report of a command without an outcome is a sentence": {
    args: {
      message: getReports({
        kind: "command",
        state: "cancelled",
        output: "Cancelled: it was stopped.",
      }),
    },
    play: async ({ canvas }) => {
      await expect(await canvas.findByText("Cancelled: it was stopped.")).toBeVisible();
      await expect(canvas.queryByRole("group", { name: "Output" })).toBeNull();
    },
  },
});

export const TestAgent: Story = {
  name: "(Test) The report of an agent links to its chat, its files and the call that asked for it",
  ...agent,
  play: async ({ args, canvas, userEvent }) => {
    const link = canvas.getByRole("link", { name: "Measure pino" });
    await expect(link).toHaveAttribute("href", `/chats/${AGENT_CHAT}`);
    await userEvent.click(link);
    await expect(args.onNavigate).toHaveBeenLastCalledWith(`/chats/${AGENT_CHAT}`);
    await expect(canvas.getByRole("link", { name: /libraries.csv/ })).toBeVisible();
    await expect(canvas.getByRole("link", { name: /pino.png/ })).toBeVisible();
    canvas.getByRole("link", { name: "Spawn agent" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onNavigate).toHaveBeenLastCalledWith("?message=4");
  },
};
