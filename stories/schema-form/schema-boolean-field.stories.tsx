import type { Meta } from "@storybook/nextjs-vite";
import { expect, within } from "storybook/test";
import { SchemaBooleanField } from "@/components/schema-form/schema-boolean-field";
import { showStates } from "../show-states";
import {
  LONG_WORDS,
  object,
  schemaFormMeta,
  type SchemaFormStory,
  toFormArgs,
} from "./schema-form-story";
import { untouched } from "../answers/untouched-story";

const meta = { ...schemaFormMeta, component: SchemaBooleanField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const booleans = object(
  { agreed: { type: "boolean" }, newsletter: { type: "boolean", description: "Monthly." } },
  "agreed",
);

const unanswered: Story = { args: toFormArgs(booleans) };
const answered: Story = { args: toFormArgs(booleans, { agreed: true, newsletter: false }) };

export const States: Story = showStates(meta, {
  Empty: unanswered,
  Filled: answered,
  "A default is shown as the chosen answer": {
    args: toFormArgs(object({ agreed: { type: "boolean", default: false } }, "agreed")),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radio", { name: "No" })).toBeChecked();
    },
  },
  "With error: the hint and the error describe the question": {
    args: {
      ...toFormArgs(
        object({ agreed: { type: "boolean", description: "To the terms." } }, "agreed"),
      ),
      errors: [{ pointer: "/agreed", message: "is required" }],
    },
    play: async ({ canvas }) => {
      const agreed = canvas.getByRole("radiogroup", { name: "Agreed" });
      await expect(agreed).toBeInvalid();
      await expect(agreed).toHaveAccessibleDescription("To the terms. Is required.");
    },
  },
  "Disabled: the answer can be read": {
    args: { ...answered.args, disabled: true },
    play: async ({ canvas }) => {
      for (const radio of canvas.getAllByRole("radio")) await expect(radio).toBeDisabled();
      await expect(canvas.getByRole("radio", { name: "Yes", checked: true })).toBeVisible();
      await expect(canvas.getByRole("radio", { name: "No", checked: true })).toBeVisible();
    },
  },
});

export const UntouchedSendsNothing = untouched(booleans, "Agreed is required.");

export const TestRequired: Story = {
  ...unanswered,
  name: "(Test) A required boolean begins without an answer, and both can be chosen",
  play: async ({ args, canvas, userEvent }) => {
    const agreed = within(canvas.getByRole("radiogroup", { name: "Agreed" }));
    await expect(agreed.getAllByRole("radio")).toHaveLength(2);
    await expect(agreed.queryByRole("radio", { checked: true })).toBeNull();
    await userEvent.click(agreed.getByRole("radio", { name: "No" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ agreed: false });
    await userEvent.click(agreed.getByRole("radio", { name: "Yes" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ agreed: true });
  },
};

export const TestOptional: Story = {
  ...unanswered,
  name: "(Test) An optional boolean can be left out again",
  play: async ({ args, canvas, userEvent }) => {
    const newsletter = within(canvas.getByRole("radiogroup", { name: "Newsletter (optional)" }));
    await expect(newsletter.getByRole("radio", { name: "Not set" })).toBeChecked();
    await userEvent.click(newsletter.getByRole("radio", { name: "No" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ newsletter: false });
    await userEvent.click(newsletter.getByRole("radio", { name: "Not set" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

/** A long title wraps. */
export const LongTitle: Story = {
  args: toFormArgs(object({ agreed: { type: "boolean", title: LONG_WORDS } }, "agreed")),
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
