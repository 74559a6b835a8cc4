import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RejectionForm } from "@/components/approvals/rejection-form";
import { Controlled } from "../schema-form/controlled";
import { showStates } from "../show-states";

const meta = {
  component: RejectionForm,
  args: { reason: "", onChange: fn(), onReject: fn(), onBack: fn(), isDeciding: false },
  render: (args) => (
    <Controlled value={args.reason} onChange={args.onChange}>
      {({ value, onChange }) => <RejectionForm {...args} reason={value} onChange={onChange} />}
    </Controlled>
  ),
} satisfies Meta<typeof RejectionForm>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Empty: {},
  Filled: { args: { reason: "Use the test database." } },
  Deciding: { args: { reason: "Not now", isDeciding: true } },
});

export const TestReason: Story = {
  name: "(Test) The reason is passed on without spaces around it",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("textbox", { name: "Reason" })).toHaveFocus();
    await userEvent.keyboard("  Not now ");
    await userEvent.click(canvas.getByRole("button", { name: "Reject" }));
    await expect(args.onReject).toHaveBeenCalledWith("Not now");
  },
};
