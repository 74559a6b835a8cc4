import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { StatusIcon } from "@/components/sidebar/status-icon";
import { ChatStatus } from "@/contract/chat";
import { showStates } from "../show-states";

const meta = {
  component: StatusIcon,
  args: { status: "waiting", needsYou: false, isUnread: false },
} satisfies Meta<typeof StatusIcon>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "At rest": {},
  Pending: { args: { status: "pending" } },
  Running: { args: { status: "running" } },
  Interrupting: { args: { status: "interrupting" } },
  "Needs you": { args: { status: "requires_action", needsYou: true } },
  "Awaiting programs": { args: { status: "requires_action" } },
  "Awaiting agents": { args: { status: "awaiting_agents" } },
  Failed: { args: { status: "error" } },
  "Needs you, at rest after a question": { args: { needsYou: true } },
  Unread: { args: { isUnread: true } },
  "Failed unread": { args: { status: "error", isUnread: true } },
});

const LABELS: Record<ChatStatus, string> = {
  waiting: "",
  pending: "Working ",
  running: "Working ",
  interrupting: "Stopping ",
  requires_action: "Needs you ",
  awaiting_agents: "Waiting for agents ",
  error: "Failed ",
};

/** Wraps each icon in a link, whose accessible name includes the label. */
const AsLinks = ({ isUnread }: { isUnread: boolean }) => (
  <>
    {ChatStatus.options.map((status) => (
      <a key={status} href={`#${status}`} className="flex gap-2">
        <StatusIcon status={status} needsYou={status === "requires_action"} isUnread={isUnread} />{" "}
        Tides
      </a>
    ))}
  </>
);

export const TestLabels: Story = {
  name: "(Test) Every status except waiting has a label",
  render: ({ isUnread }) => <AsLinks isUnread={isUnread} />,
  play: async ({ canvas }) => {
    const names = ChatStatus.options.map((status) => `${LABELS[status]}Tides`);
    for (const [index, link] of canvas.getAllByRole("link").entries()) {
      await expect(link).toHaveAccessibleName(names[index]);
    }
  },
};

export const TestUnread: Story = {
  name: "(Test) Unread follows the status label",
  args: { isUnread: true },
  render: ({ isUnread }) => <AsLinks isUnread={isUnread} />,
  play: async ({ canvas }) => {
    const names = ChatStatus.options.map((status) => `${LABELS[status]}Unread Tides`);
    for (const [index, link] of canvas.getAllByRole("link").entries()) {
      await expect(link).toHaveAccessibleName(names[index]);
    }
  },
};

export const TestShapes: Story = {
  name: "(Test) The icons differ in shape, not only in color",
  render: ({ isUnread }) => <AsLinks isUnread={isUnread} />,
  play: async ({ canvasElement }) => {
    const shapes = [...canvasElement.querySelectorAll("svg")].map((icon) => icon.innerHTML);
    await expect(shapes).toHaveLength(6);
    await expect(new Set(shapes).size).toBe(5);
  },
};
