import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/text-field";

const meta = {
  component: Dialog,
  args: {
    open: true,
    onOpenChange: fn(),
    title: "Rename chat",
    description: "The title is shown in the list of chats.",
    children: <TextField label="Title" defaultValue="Sailing plans" />,
    actions: (
      <>
        <Button>Cancel</Button>
        <Button variant="primary">Save</Button>
      </>
    ),
  },
} satisfies Meta<typeof Dialog>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Open: Story = {};
export const WithoutActions: Story = { args: { actions: undefined } };

export const TestEscape: Story = {
  name: "(Test) The content gets the focus and Escape requests closing",
  play: async ({ args, userEvent }) => {
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Title" })).toHaveFocus());
    await userEvent.keyboard("{Escape}");
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};
