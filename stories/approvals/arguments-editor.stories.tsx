import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ArgumentsEditor from "@/components/approvals/arguments-editor";
import { showStates } from "../show-states";

const meta = {
  component: ArgumentsEditor,
  args: {
    toolName: "exec",
    args: { action: "run", command: "npm test", cwd: "web" },
    errors: [],
    onApprove: fn(),
    onBack: fn(),
    isDeciding: false,
  },
} satisfies Meta<typeof ArgumentsEditor>;
export default meta;
type Story = StoryObj<typeof meta>;

const ofFile: Story = {
  args: { toolName: "write_file", args: { path: "notes.md", content: "# Notes" } },
};
const refused: Story = {
  ...ofFile,
  args: { ...ofFile.args, errors: [{ pointer: "/path", message: "must be a text" }] },
};

export const States: Story = showStates(meta, {
  Command: {},
  JSON: ofFile,
  "With error": {
    ...refused,
    play: async ({ canvas }) => {
      const field = canvas.getByRole("textbox", { name: "Arguments" });
      await expect(field).toHaveAccessibleDescription(/path: must be a text\./);
      await expect(field).toBeInvalid();
    },
  },
  "With error, command": {
    args: { errors: [{ pointer: "/command", message: "must be shorter" }] },
  },
  Deciding: { args: { isDeciding: true } },
});

export const TestCommand: Story = {
  name: "(Test) The line is changed, the other arguments stay; an empty one is not sent",
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Command to run" });
    await expect(field).toHaveFocus();
    await userEvent.clear(field);
    await userEvent.click(canvas.getByRole("button", { name: "Approve this" }));
    await expect(field).toHaveAccessibleDescription(/Enter a command\./);
    await expect(args.onApprove).not.toHaveBeenCalled();
    await userEvent.type(field, "npm run lint");
    await userEvent.click(canvas.getByRole("button", { name: "Approve this" }));
    await expect(args.onApprove).toHaveBeenCalledWith({
      action: "run",
      command: "npm run lint",
      cwd: "web",
    });
  },
};

export const TestJson: Story = {
  ...ofFile,
  name: "(Test) What is no JSON object is not sent",
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Arguments" });
    for (const text of ["[[1]", "{{", "null"]) {
      await userEvent.clear(field);
      await userEvent.type(field, text);
      await userEvent.click(canvas.getByRole("button", { name: "Approve this" }));
      await expect(field).toHaveAccessibleDescription(/Enter a JSON object/);
    }
    await expect(args.onApprove).not.toHaveBeenCalled();
    await userEvent.clear(field);
    await userEvent.type(field, '{{"path": "a.md"}');
    await userEvent.click(canvas.getByRole("button", { name: "Approve this" }));
    await expect(args.onApprove).toHaveBeenCalledWith({ path: "a.md" });
  },
};

export const TestTyping: Story = {
  ...refused,
  name: "(Test) An error of the server is gone when the text is changed",
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Arguments" });
    await userEvent.type(field, " ");
    await expect(field).toBeValid();
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(args.onBack).toHaveBeenCalled();
  },
};
