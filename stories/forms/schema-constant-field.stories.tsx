import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ComponentProps } from "react";
import { expect } from "storybook/test";
import { ConstantValue, SchemaNullField } from "@/components/forms/schema-constant-field";
import {
  toFormArgs,
  LONG_WORD,
  LONG_WORDS,
  object,
  schemaFormMeta,
  type SchemaFormStory,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaNullField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;
type ConstantValueStory = StoryObj<ComponentProps<typeof ConstantValue>>;

const field = { end: { type: "null", description: "It has not ended." } };

export const Required: Story = { args: toFormArgs(object(field, "end")) };
export const Optional: Story = { args: toFormArgs(object(field)) };
export const OptionalChecked: Story = { args: toFormArgs(object(field), { end: null }) };
export const RequiredOtherValue: Story = {
  args: {
    ...toFormArgs(object(field, "end"), { end: "soon" }),
    errors: [{ pointer: "/end", message: "must be null" }],
  },
};
export const OptionalOtherValue: Story = {
  args: {
    ...toFormArgs(object(field), { end: "soon" }),
    errors: [{ pointer: "/end", message: "must be null" }],
  },
};
export const Disabled: Story = { args: { ...OptionalChecked.args, disabled: true } };
export const LongWords: Story = {
  args: toFormArgs(
    object({ end: { type: "null", title: LONG_WORDS, description: LONG_WORDS } }, "end"),
  ),
  globals: { viewport: { value: "mobile1" } },
};

export const TestRequired: Story = {
  ...Required,
  name: "(Test) A required null is shown as text",
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement).toHaveTextContent("End nullIt has not ended.");
    await expect(canvas.queryByRole("checkbox")).toBeNull();
  },
};

export const TestOptional: Story = {
  ...Optional,
  name: "(Test) An optional null can be set or omitted",
  play: async ({ args, canvas, userEvent }) => {
    const end = canvas.getByRole("checkbox", { name: "End (optional): null" });
    await expect(end).not.toBeChecked();
    await expect(end).toHaveAccessibleDescription("It has not ended.");
    await userEvent.tab();
    await userEvent.keyboard(" ");
    await expect(end).toBeChecked();
    await expect(args.onChange).toHaveBeenLastCalledWith({ end: null });
    await userEvent.keyboard(" ");
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

export const TestRequiredOtherValue: Story = {
  ...RequiredOtherValue,
  name: "(Test) Another value from a draft is reported and can be replaced",
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const end = canvas.getByRole("checkbox", { name: "End: null" });
    await expect(end).not.toBeChecked();
    await expect(end).toBeInvalid();
    await expect(end).toHaveAccessibleDescription("It has not ended. Must be null.");
    await userEvent.click(end);
    await expect(args.onChange).toHaveBeenLastCalledWith({ end: null });
    await expect(canvasElement).toHaveTextContent("End null");
  },
};

export const TestOptionalOtherValue: Story = {
  ...OptionalOtherValue,
  name: "(Test) Another value of an optional null is reported",
  play: async ({ canvas }) => {
    await expect(
      canvas.getByRole("checkbox", { name: "End (optional): null" }),
    ).toHaveAccessibleDescription("It has not ended. Must be null.");
  },
};

export const TestDisabled: Story = {
  ...Disabled,
  name: "(Test) A disabled null shows its value",
  play: async ({ canvas }) => {
    const end = canvas.getByRole("checkbox", { name: "End (optional): null" });
    await expect(end).toBeDisabled();
    await expect(end).toBeChecked();
  },
};

export const TestLongWords: Story = {
  ...LongWords,
  name: "(Test) Long texts wrap",
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

/** A choice with one value, which is shown as text. */
const constantValue: ConstantValueStory = {
  render: (args) => <ConstantValue {...args} />,
  args: { label: "Version", hint: undefined, value: "2" },
};
export const ConstantValueOnly: ConstantValueStory = { ...constantValue };
export const ConstantValueWithHint: ConstantValueStory = {
  ...constantValue,
  args: { ...constantValue.args, hint: "Of the format." },
};
export const ConstantValueLongWords: ConstantValueStory = {
  ...constantValue,
  args: { label: LONG_WORDS, hint: LONG_WORD, value: LONG_WORD },
  globals: { viewport: { value: "mobile1" } },
};

export const TestConstantValueText: ConstantValueStory = {
  name: "(Test) The value is shown as text with its label",
  ...ConstantValueWithHint,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Version").parentElement).toHaveTextContent(/^Version 2$/);
    await expect(canvas.getByText("Of the format.")).toBeVisible();
    await expect(canvas.queryByRole("textbox")).toBeNull();
  },
};

export const TestConstantValueLongWords: ConstantValueStory = {
  ...ConstantValueLongWords,
  name: "(Test) Long texts of a constant wrap",
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
