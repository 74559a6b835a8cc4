import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { StatusIcon } from "@/components/sidebar/status-icon";
import { ChatStatus } from "@/contract/chat";

const meta = {
  component: StatusIcon,
  args: { status: "waiting", unread: false },
} satisfies Meta<typeof StatusIcon>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Waiting: Story = {};
export const Pending: Story = { args: { status: "pending" } };
export const Running: Story = { args: { status: "running" } };
export const Interrupting: Story = { args: { status: "interrupting" } };
export const NeedsYou: Story = { args: { status: "requires_action" } };
export const Failed: Story = { args: { status: "error" } };
export const Unread: Story = { args: { unread: true } };
export const FailedUnread: Story = { args: { status: "error", unread: true } };

const WORDS: Record<ChatStatus, string> = {
  waiting: "",
  pending: "Working ",
  running: "Working ",
  interrupting: "Stopping ",
  requires_action: "Needs you ",
  error: "Failed ",
};

/** In a link, whose name a screen reader says. */
const AsLinks = ({ unread }: { unread: boolean }) => (
  <>
    {ChatStatus.options.map((status) => (
      <a key={status} href={`#${status}`} className="flex gap-2">
        <StatusIcon status={status} unread={unread} /> Tides
      </a>
    ))}
  </>
);

export const TestWords: Story = {
  name: "(Test) Every state but rest is said in a word",
  render: ({ unread }) => <AsLinks unread={unread} />,
  play: async ({ canvas }) => {
    const names = ChatStatus.options.map((status) => `${WORDS[status]}Tides`);
    for (const [index, link] of canvas.getAllByRole("link").entries()) {
      await expect(link).toHaveAccessibleName(names[index]);
    }
  },
};

export const TestUnread: Story = {
  name: "(Test) What is unread is said after the state",
  args: { unread: true },
  render: ({ unread }) => <AsLinks unread={unread} />,
  play: async ({ canvas }) => {
    const names = ChatStatus.options.map((status) => `${WORDS[status]}Unread Tides`);
    for (const [index, link] of canvas.getAllByRole("link").entries()) {
      await expect(link).toHaveAccessibleName(names[index]);
    }
  },
};

export const TestShapes: Story = {
  name: "(Test) The signs differ in shape, not in colour alone",
  render: ({ unread }) => <AsLinks unread={unread} />,
  play: async ({ canvasElement }) => {
    const shapes = [...canvasElement.querySelectorAll("svg")].map((sign) => sign.innerHTML);
    await expect(shapes).toHaveLength(5);
    await expect(new Set(shapes).size).toBe(4);
  },
};
