import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, spyOn } from "storybook/test";
import { CopyButton } from "@/components/ui/copy-button";
import { showRules } from "../show-rules";

const meta = {
  component: CopyButton,
  args: { label: "Copy message", text: "Hello" },
} satisfies Meta<typeof CopyButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Ready: Story = {};

export const TestCopies: Story = {
  name: "(Test) A click copies the text and changes the label to Copied",
  play: async ({ canvas, userEvent }) => {
    const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await userEvent.click(canvas.getByRole("button", { name: "Copy message" }));
    await expect(await canvas.findByRole("button", { name: "Copied" })).toBeVisible();
    await expect(write).toHaveBeenCalledWith("Hello");
    write.mockRestore();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Name what is copied: the label is the tooltip and the accessible name.",
        example: <CopyButton label="Copy message" text="High water is at 08:52." />,
      },
    ],
    donts: [
      {
        text: "Do not offer two that are called the same, next to each other.",
        example: (
          <span className="flex gap-2">
            <CopyButton label="Copy" text="a" />
            <CopyButton label="Copy" text="b" />
          </span>
        ),
      },
    ],
  }),
};
