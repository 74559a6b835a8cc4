import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { useState, type ComponentProps } from "react";
import { expect, fn, screen, waitFor } from "storybook/test";
import { Button } from "@/components/ui/button";
import { FormDrawer } from "@/components/ui/form-drawer";
import { showRules } from "../show-rules";

const meta = {
  component: FormDrawer,
  args: {
    open: true,
    title: "New harbor",
    onClose: fn(),
    children: ({ onCancel, onEdit }) => (
      <form className="grid gap-4">
        <input aria-label="Name" className="border" onChange={onEdit} />
        <Button onClick={onCancel}>Cancel</Button>
      </form>
    ),
  },
} satisfies Meta<typeof FormDrawer>;
export default meta;
type Story = StoryObj<typeof meta>;

const WithButton = (props: ComponentProps<typeof FormDrawer>) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add</Button>
      <FormDrawer
        {...props}
        open={isOpen}
        onClose={() => {
          props.onClose();
          setOpen(false);
        }}
      />
    </>
  );
};

export const Open: Story = {};

export const Phone: Story = {
  globals: { viewport: { value: "phone" } },
  play: async () => {
    const dialog = await screen.findByRole("dialog", { name: "New harbor" });
    await waitFor(() => expect(dialog.getBoundingClientRect().left).toBe(0));
  },
};

export const TestUnchanged: Story = {
  name: "(Test) Escape closes it, and the focus returns",
  render: (args) => <WithButton {...args} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add" }));
    await expect(await screen.findByRole("dialog", { name: "New harbor" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect(args.onClose).toHaveBeenCalledOnce();
    await waitFor(() => expect(canvas.getByRole("button", { name: "Add" })).toHaveFocus());
  },
};

export const TestChanged: Story = {
  name: "(Test) What was changed is discarded only after a question",
  render: (args) => <WithButton {...args} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add" }));
    const name = await screen.findByRole("textbox", { name: "Name" });
    await userEvent.type(name, "Oban");
    const reload = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(reload);
    await expect(reload.defaultPrevented).toBe(true);
    for (const close of [
      () => userEvent.keyboard("{Escape}"),
      () => userEvent.click(screen.getByRole("button", { name: "Close" })),
      () => userEvent.click(screen.getByRole("button", { name: "Cancel" })),
    ]) {
      await close();
      await userEvent.click(await screen.findByRole("button", { name: "Keep editing" }));
      await waitFor(() => expect(screen.queryByText("Discard your changes?")).toBeNull());
    }
    await expect(args.onClose).not.toHaveBeenCalled();
    await expect(name).toHaveValue("Oban");
    await userEvent.keyboard("{Escape}");
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    await expect(args.onClose).toHaveBeenCalledOnce();
    await waitFor(() => expect(canvas.getByRole("button", { name: "Add" })).toHaveFocus());
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      { text: "Put a form of a list into it: the list stays where it was." },
      { text: "Ask before what was typed is lost, and only then." },
    ],
    donts: [{ text: "Do not use it for one field: edit that in its place." }],
  }),
};
