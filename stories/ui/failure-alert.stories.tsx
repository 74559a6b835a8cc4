import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FailureAlert } from "@/components/ui/failure-alert";
import { showStates } from "../show-states";

const meta = {
  component: FailureAlert,
  args: { title: "The key was not created", detail: "The server is restarting." },
} satisfies Meta<typeof FailureAlert>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Failed: {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(
        "The key was not createdThe server is restarting.",
      );
    },
  },
  "Not failed": {
    args: { detail: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("alert")).toBeNull();
    },
  },
});
