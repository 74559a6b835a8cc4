import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AgentRow, AgentRows } from "@/components/tool-cards/agent-row";
import { TaskState } from "@/contract/task-state";
import { showStates } from "../show-states";
import { FIRST_AGENT } from "./agents";

const meta = {
  component: AgentRow,
  render: (args) => (
    <AgentRows>
      <AgentRow {...args} />
    </AgentRows>
  ),
  args: {
    chatId: FIRST_AGENT,
    title: "Measure pino",
    type: "explore",
    state: "running",
    onNavigate: fn(),
  },
} satisfies Meta<typeof AgentRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const longTitle: Story = {
  args: { title: "extraordinarily-long-".repeat(10), type: "a-long-name-of-a-type" },
};

export const States: Story = showStates(meta, {
  Running: {},
  Queued: { args: { state: "queued" } },
  "Only title": { args: { type: undefined, state: undefined } },
  "Long title": longTitle,
});
export const Twenty: Story = {
  render: (args) => (
    <AgentRows>
      {Array.from({ length: 20 }, (_, index) => (
        <AgentRow
          key={index}
          {...args}
          title={`Agent ${index + 1}`}
          state={index < 5 ? "running" : "queued"}
        />
      ))}
    </AgentRows>
  ),
};

/** Each state has a word of its own. */
export const EveryState: Story = {
  render: (args) => (
    <AgentRows>
      {TaskState.options.map((state) => (
        <AgentRow key={state} {...args} state={state} />
      ))}
    </AgentRows>
  ),
  play: async ({ canvas }) => {
    const rows = canvas.getAllByRole("listitem").map(({ textContent }) => textContent);
    await expect(new Set(rows).size).toBe(TaskState.options.length);
    await expect(rows[0]).toBe("Measure pinoexploreQueued");
  },
};

export const TestLink: Story = {
  name: "(Test) The title opens the agent's chat by the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("link", { name: "Measure pino" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onNavigate).toHaveBeenCalledWith(`/chats/${FIRST_AGENT}`);
  },
};

export const TestNarrow: Story = {
  name: "(Test) A long title does not widen a narrow page",
  ...longTitle,
  decorators: [(Story) => <div style={{ width: 240 }}>{Story()}</div>],
  play: async ({ canvas }) => {
    const list = canvas.getByRole("list", { name: "Agents" });
    await expect(list.scrollWidth).toBeLessThanOrEqual(240);
  },
};
