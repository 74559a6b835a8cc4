import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { useState } from "react";
import { expect, fn, screen, waitFor } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Modal } from "@/components/ui/modal";
import { showRules } from "../show-rules";

const meta = {
  component: Modal,
  args: {
    label: "Chats of today",
    onClose: fn(),
    children: (
      <div className="p-4">
        <Button>Read them</Button>
      </div>
    ),
  },
} satisfies Meta<typeof Modal>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {
  play: async () => {
    await expect(screen.getByRole("dialog", { name: "Chats of today" })).toBeVisible();
    await expect(screen.getByRole("button", { name: "Read them" })).toHaveFocus();
  },
};

const Opener = (props: Parameters<typeof Modal>[0]) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen && <Modal {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

export const TestFocus: Story = {
  name: "(Test) A click beside it closes it, and the focus is where it was",
  render: (args) => <Opener {...args} />,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Open" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.click(screen.getByRole("button", { name: "Read them" }));
    await expect(dialog).toBeVisible();
    await userEvent.click(dialog);
    await expect(canvas.getByRole("button", { name: "Open" })).toHaveFocus();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Use it for what comes over any page, such as the palette; Escape closes it." }],
    donts: [
      {
        text: "Do not use it for a question: that is a confirmation, whose dismissing button has the focus.",
      },
    ],
  }),
};
