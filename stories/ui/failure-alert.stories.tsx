import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FailureAlert } from "@/components/ui/failure-alert";
import { showRules } from "../show-rules";
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
  Empty: {
    args: { detail: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("alert")).toBeNull();
    },
  },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say in the title what did not happen, in the past tense.",
        example: (
          <FailureAlert
            title="The model was not saved"
            detail="The server cannot be reached. Check the connection and try again."
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not blame, and do not leave the reason out.",
        example: <FailureAlert title="You have made an error" detail="Failed." />,
      },
    ],
  }),
};
