import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import MentionList from "@/components/composer/mention-list";
import { showStates } from "../show-states";
import { COMMANDS, KNOWN, READ_FILE } from "./mention-fixtures";

const meta = {
  component: MentionList,
  // It opens above the field that it belongs to.
  render: (args) => (
    <div className="relative mt-80 rounded-xl border p-4">
      <MentionList {...args} />
    </div>
  ),
  args: { id: "mentions", options: KNOWN.slice(0, 3), activeIndex: 0, onChoose: fn() },
} satisfies Meta<typeof MentionList>;
export default meta;
type Story = StoryObj<typeof meta>;

const many: Story = {
  args: {
    options: Array.from({ length: 60 }, (_, index) => ({ ...READ_FILE, name: `tool_${index}` })),
    activeIndex: 40,
  },
};

export const States: Story = showStates(meta, {
  Few: {},
  One: { args: { options: [READ_FILE] } },
  Commands: { args: { options: COMMANDS } },
  Many: many,
});

export const TestActive: Story = {
  name: "(Test) Some options around the active one are shown, and a click chooses another",
  ...many,
  play: async ({ args, canvas, userEvent }) => {
    const active = canvas.getByRole("option", { selected: true });
    await expect(active).toHaveTextContent("tool_40");
    await expect(active).toHaveAttribute("aria-posinset", "41");
    await expect(canvas.getAllByRole("option")).toHaveLength(7);
    await userEvent.click(canvas.getByRole("option", { name: /tool_38 / }));
    await expect(args.onChoose).toHaveBeenCalledWith({ ...READ_FILE, name: "tool_38" });
  },
};
