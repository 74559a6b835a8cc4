import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import type { QueuedMessage } from "@/contract/message";
import QueueList from "@/components/composer/queue-list";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const queued = (text: string, position: number): QueuedMessage => ({
  id: `0197a1f0-0000-7000-8000-00000000000${position}`,
  position,
  content: [{ type: "text", text }],
  created_by: "user",
  steers: false,
  created_at: "2026-11-21T10:00:00Z",
});
const two = [
  queued("Then write a summary for the customer", 0),
  queued("And translate it:\n- German\n- French", 1),
];

const meta = {
  component: QueueList,
  args: {
    messages: two,
    onAction: fn(),
    canEdit: true,
    canSteer: true,
    isPaused: false,
    onSendNext: fn(),
  },
} satisfies Meta<typeof QueueList>;
export default meta;
type Story = StoryObj<typeof meta>;

const many: Story = {
  args: { messages: Array.from({ length: 9 }, (_, index) => queued(`Step ${index + 1}`, index)) },
};

const paused: Story = { args: { isPaused: true } };

export const States: Story = showStates(meta, {
  Two: {},
  One: { args: { messages: two.slice(0, 1) } },
  Many: many,
  "Long text": { args: { messages: [queued("Very long ".repeat(60), 0)] } },
  "Busy: all actions are disabled while one runs": {
    args: { pendingAction: { id: two[1]?.id ?? "", action: "remove" } },
    play: async ({ canvas }) => {
      for (const button of canvas.getAllByRole("button")) await expect(button).toBeDisabled();
    },
  },
  "Edit is disabled while the composer has text": {
    args: { canEdit: false },
    play: async ({ canvas }) => {
      for (const edit of canvas.getAllByRole("button", { name: /^Edit/ })) {
        await expect(edit).toBeDisabled();
      }
    },
  },
  Paused: paused,
  "One that enters the turn": {
    args: { messages: [{ ...queued("And be brief", 0), steers: true }, ...two.slice(1)] },
    play: async ({ canvas }) => {
      const [first, second] = canvas.getAllByRole("listitem");
      if (!first || !second) throw new Error("two messages wait");
      await expect(first).toHaveTextContent("with the next step");
      await expect(within(first).queryByRole("button", { name: "Add to this answer" })).toBeNull();
      await expect(
        within(second).getByRole("button", { name: "Add to this answer" }),
      ).toBeVisible();
    },
  },
  "Without a turn, none can enter it": {
    args: { canSteer: false },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: "Add to this answer" })).toBeNull();
    },
  },
});

export const TestPaused: Story = {
  ...paused,
  name: "(Test) A paused queue says so, and its next message can be sent",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("region", { name: "2 messages wait. The queue is paused." });
    await userEvent.click(canvas.getByRole("button", { name: "Send next" }));
    await expect(args.onSendNext).toHaveBeenCalledTimes(1);
  },
};

export const TestActions: Story = {
  name: "(Test) Each message can be sent now, edited and removed",
  play: async ({ args, canvas, userEvent }) => {
    const [, second] = canvas.getAllByRole("listitem");
    if (!second) throw new Error("the second message is missing");
    await expect(second).toHaveTextContent("And translate it:");
    await userEvent.click(within(second).getByRole("button", { name: "Send now" }));
    await expect(args.onAction).toHaveBeenLastCalledWith("send-now", two[1]);
    await userEvent.click(within(second).getByRole("button", { name: "Edit" }));
    await expect(args.onAction).toHaveBeenLastCalledWith("edit", two[1]);
    await userEvent.click(within(second).getByRole("button", { name: "Remove" }));
    await expect(args.onAction).toHaveBeenLastCalledWith("remove", two[1]);
  },
};

export const TestCollapsed: Story = {
  ...many,
  name: "(Test) A long queue is collapsed and can be expanded",
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getAllByRole("listitem")).toHaveLength(3);
    await userEvent.click(canvas.getByRole("button", { name: "Show 6 more" }));
    await expect(canvas.getAllByRole("listitem")).toHaveLength(9);
    await userEvent.click(canvas.getByRole("button", { name: "Show fewer" }));
    await expect(canvas.getAllByRole("listitem")).toHaveLength(3);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show what waits in its order, with “Send now”, “Edit” and “Remove”.",
        example: <QueueList {...meta.args} />,
      },
    ],
    donts: [{ text: "Do not send what waits after a stop before the person goes on." }],
  }),
};
