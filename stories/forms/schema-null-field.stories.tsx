import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaNullField } from "@/components/forms/schema-null-field";
import { forSchema, LONG_WORDS, object, piece, type PieceStory } from "./schema-piece";

const meta = { ...piece, component: SchemaNullField } satisfies Meta;
export default meta;
type Story = PieceStory;

const field = { end: { type: "null", description: "It has not ended." } };

export const Required: Story = { args: forSchema(object(field, "end")) };
export const Optional: Story = { args: forSchema(object(field)) };
export const OptionalTicked: Story = { args: forSchema(object(field), { end: null }) };
export const RequiredOther: Story = {
  args: {
    ...forSchema(object(field, "end"), { end: "soon" }),
    problems: [{ pointer: "/end", message: "must be null" }],
  },
};
export const OptionalOther: Story = {
  args: {
    ...forSchema(object(field), { end: "soon" }),
    problems: [{ pointer: "/end", message: "must be null" }],
  },
};
export const Disabled: Story = { args: { ...OptionalTicked.args, disabled: true } };
export const LongWords: Story = {
  args: forSchema(
    object({ end: { type: "null", title: LONG_WORDS, description: LONG_WORDS } }, "end"),
  ),
  globals: { viewport: { value: "mobile1" } },
};

export const TestRequired: Story = {
  ...Required,
  name: "(Test) Where only null can be, there is nothing to do",
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement).toHaveTextContent("End nullIt has not ended.");
    await expect(canvas.queryByRole("checkbox")).toBeNull();
  },
};

export const TestOptional: Story = {
  ...Optional,
  name: "(Test) An optional null is said or left out",
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

export const TestRequiredOther: Story = {
  ...RequiredOther,
  name: "(Test) Another value, from a draft, is refused at its field and can be replaced",
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

export const TestOptionalOther: Story = {
  ...OptionalOther,
  name: "(Test) Another value of an optional null is refused at its field too",
  play: async ({ canvas }) => {
    await expect(
      canvas.getByRole("checkbox", { name: "End (optional): null" }),
    ).toHaveAccessibleDescription("It has not ended. Must be null.");
  },
};

export const TestDisabled: Story = {
  ...Disabled,
  name: "(Test) A disabled null shows what was said",
  play: async ({ canvas }) => {
    const end = canvas.getByRole("checkbox", { name: "End (optional): null" });
    await expect(end).toBeDisabled();
    await expect(end).toBeChecked();
  },
};

export const TestLongWords: Story = {
  ...LongWords,
  name: "(Test) Long words stay within the page",
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
