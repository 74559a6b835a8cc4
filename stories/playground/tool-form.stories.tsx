import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { ToolForm } from "@/components/playground/tool-form";
import { showStates } from "../show-states";

const [{ draft }, other] = TOOL_EXAMPLES;

/** Stores the draft, and has a button outside of the form, as the page does. */
const WithDraft = (props: ComponentProps<typeof ToolForm>) => {
  const [value, setValue] = useState(props.draft);
  return (
    <>
      <ToolForm
        {...props}
        draft={value}
        onChange={(next) => {
          setValue(next);
          props.onChange(next);
        }}
      />
      <button form={props.id} className="mt-4">
        Start
      </button>
    </>
  );
};

const meta = {
  component: ToolForm,
  render: (args) => <WithDraft {...args} />,
  args: {
    id: "tool",
    draft,
    onChange: fn(),
    errors: {},
    onStart: fn(),
    isStarting: false,
  },
} satisfies Meta<typeof ToolForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const invalid = {
  args: {
    draft: { ...draft, name: "approve a refund", outputSchema: '{\n  "type": "object",\n}' },
    errors: {
      name: "Enter 1 to 64 letters, digits, “_” or “-”.",
      outputSchema: "Line 3 is not JSON. “}” is unexpected here.",
    },
  },
};

export const States: Story = showStates(meta, {
  Example: {},
  Invalid: invalid,
});

export const TestExample: Story = {
  name: "(Test) An example fills all fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: other.title }));
    await expect(args.onChange).toHaveBeenCalledWith(other.draft);
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue(other.draft.name);
  },
};
export const TestInvalid: Story = {
  name: "(Test) An invalid tool is not started, and the first fault has the focus",
  args: invalid.args,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Start" }));
    await expect(args.onStart).not.toHaveBeenCalled();
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
  },
};
export const TestStart: Story = {
  name: "(Test) A valid tool is started with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Name" }));
    await userEvent.keyboard("{Enter}");
    await expect(args.onStart).toHaveBeenCalledOnce();
  },
};
