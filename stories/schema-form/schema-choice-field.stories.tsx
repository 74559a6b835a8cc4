import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import type { JsonValue } from "@/contract/json";
import { SchemaChoiceField } from "@/components/schema-form/schema-choice-field";
import { untouched } from "../answers/untouched-story";
import { showStates } from "../show-states";
import {
  toFormArgs,
  LONG_WORD,
  LONG_WORDS,
  object,
  schemaFormMeta,
  type SchemaFormStory,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaChoiceField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const payment = {
  description: "How it was paid.",
  oneOf: [
    object({ kind: { const: "card" }, last_four: { type: "string" } }, "kind", "last_four"),
    object({ kind: { const: "invoice" }, net_days: { type: "integer" } }, "kind", "net_days"),
  ],
};
const required = object({ payment }, "payment");
const optional = object({ comment: { type: ["string", "number"] } });

const requiredState: Story = { args: toFormArgs(required) };
const filled: Story = {
  args: toFormArgs(required, { payment: { kind: "invoice", net_days: 30 } }),
};
const omitted: Story = { args: toFormArgs(optional) };
const disabled: Story = { args: { ...filled.args, disabled: true } };
const manyOptions: Story = {
  args: toFormArgs(
    object({ value: { type: ["string", "number", "boolean", "null", "array"] } }, "value"),
  ),
};
const wholeAnswer: Story = {
  args: toFormArgs({ anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] }),
};

export const States: Story = showStates(meta, {
  Required: requiredState,
  "Filled: the option that matches the value is selected": {
    ...filled,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radio", { name: "Invoice" })).toBeChecked();
      await expect(canvas.getByRole("textbox", { name: "Net days" })).toHaveValue("30");
    },
  },
  Empty: omitted,
  "With error, at a field": {
    args: {
      ...filled.args,
      errors: [{ pointer: "/payment/net_days", message: "must be 14 or less" }],
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Net days" })).toHaveAccessibleDescription(
        "Must be 14 or less.",
      );
      await expect(canvas.getByRole("radiogroup", { name: "Payment" })).toBeValid();
      await expect(canvas.getAllByRole("alert")).toHaveLength(1);
    },
  },
  "With error, at the choice": {
    args: {
      ...toFormArgs(object({ comment: { type: ["string", "number", "null"] } }, "comment"), {
        comment: null,
      }),
      errors: [{ pointer: "/comment", message: "is needed after all" }],
    },
    play: async ({ canvas }) => {
      const comment = canvas.getByRole("radiogroup", { name: "Comment" });
      await expect(comment).toBeInvalid();
      await expect(comment).toHaveAccessibleDescription("Is needed after all.");
    },
  },
  Disabled: disabled,
  "Many options": manyOptions,
  "Whole answer": wholeAnswer,
  "An error of an option is shown once, at its group": {
    args: { ...filled.args, errors: [{ pointer: "/payment", message: "was refused" }] },
    play: async ({ canvas }) => {
      const [fields] = canvas.getAllByRole("group", { name: "Payment" });
      await expect(fields).toBeInvalid();
      await expect(fields).toHaveAccessibleDescription(/Was refused\.$/);
      await expect(canvas.getAllByRole("alert")).toHaveLength(1);
    },
  },
});

export const UntouchedSendsNothing = untouched(required, "Payment is required.");

const answers: [option: string, typed: string | undefined, output: JsonValue][] = [
  ["Number", "0", 0],
  ["No value", undefined, null],
  ["Text", "zero", "zero"],
];

export const TestWholeAnswer: Story = {
  ...wholeAnswer,
  name: "(Test) The root value can have several options",
  play: async ({ args, canvas, userEvent }) => {
    for (const [option, typed, output] of answers) {
      await userEvent.click(canvas.getByRole("radio", { name: option }));
      await expect(canvas.getByRole("radio", { name: option })).toBeChecked();
      if (typed !== undefined) await userEvent.type(canvas.getByRole("textbox"), typed);
      await expect(args.onChange).toHaveBeenLastCalledWith(output);
    }
  },
};

export const TestSwitchOption: Story = {
  ...requiredState,
  name: "(Test) Selecting an option shows its empty fields",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radiogroup", { name: "Payment" })).toHaveAccessibleDescription(
      "How it was paid.",
    );
    await expect(canvas.queryByRole("textbox")).toBeNull();
    await userEvent.click(canvas.getByRole("radio", { name: "Card" }));
    await expect(canvas.queryByText("Kind")).toBeNull();
    await userEvent.type(canvas.getByRole("textbox", { name: "Last four" }), "1234");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      payment: { kind: "card", last_four: "1234" },
    });
    canvas.getByRole("radio", { name: "Card" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    await expect(canvas.getByRole("radio", { name: "Invoice" })).toHaveFocus();
    await expect(canvas.queryByRole("textbox", { name: "Last four" })).toBeNull();
    await userEvent.type(canvas.getByRole("textbox", { name: "Net days" }), "14");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      payment: { kind: "invoice", net_days: 14 },
    });
  },
};

export const TestOmitted: Story = {
  ...omitted,
  name: "(Test) An optional value can be set and omitted again",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radiogroup", { name: "Comment (optional)" })).toBeVisible();
    await expect(canvas.getByRole("radio", { name: "Not set" })).toBeChecked();
    await expect(canvas.queryByRole("textbox")).toBeNull();
    await userEvent.click(canvas.getByRole("radio", { name: "Text" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Comment" }), "A");
    await expect(args.onChange).toHaveBeenLastCalledWith({ comment: "A" });
    await userEvent.click(canvas.getByRole("radio", { name: "Not set" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

export const TestManyOptions: Story = {
  ...manyOptions,
  name: "(Test) More than four options are shown in a dropdown",
  play: async ({ args, canvas, userEvent }) => {
    const value = canvas.getByRole("combobox", { name: "Value" });
    await expect(value).toHaveDisplayValue("Choose…");
    await userEvent.selectOptions(value, "Yes or no");
    await userEvent.click(canvas.getByRole("radio", { name: "Yes" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ value: true });
    await userEvent.selectOptions(value, "No value");
    await expect(args.onChange).toHaveBeenLastCalledWith({ value: null });
  },
};

export const TestDisabled: Story = {
  ...disabled,
  name: "(Test) A disabled choice shows its fields and cannot be changed",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radio", { name: "Invoice" })).toBeDisabled();
    await expect(canvas.getByRole("textbox", { name: "Net days" })).toBeDisabled();
    await userEvent.click(canvas.getByText("Card"));
    await expect(canvas.getByRole("radio", { name: "Invoice" })).toBeChecked();
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

/** Long titles wrap. */
export const LongTitles: Story = {
  args: toFormArgs(
    object(
      {
        comment: {
          title: LONG_WORD,
          anyOf: [
            { type: "string", title: LONG_WORDS },
            { type: "number", title: LONG_WORD },
          ],
        },
      },
      "comment",
    ),
  ),
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestSelectedOnly: Story = {
  ...requiredState,
  name: "(Test) An option without input sends nothing but what it determines",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "Invoice" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ payment: { kind: "invoice" } });
  },
};
