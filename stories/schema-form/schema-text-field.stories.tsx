import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaTextField } from "@/components/schema-form/schema-text-field";
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

const meta = { ...schemaFormMeta, component: SchemaTextField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const texts = object(
  {
    name: { type: "string" },
    email: { type: "string", format: "email" },
    website: { type: "string", format: "uri" },
    code: { type: "string", pattern: "^[A-Z]{3}$", examples: ["ABC"] },
    description: { type: "string", description: "What the customer will read." },
  },
  "name",
);
const dates = object({
  day: { type: "string", format: "date" },
  moment: { type: "string", format: "date-time", description: "When it starts." },
  clock: { type: "string", format: "time", description: "When it opens" },
});

const textsState: Story = { args: toFormArgs(texts) };
const filledTexts: Story = {
  args: toFormArgs(texts, { name: "Ada", email: "ada@example.com", description: "One.\nTwo." }),
};
const rootText: Story = { args: toFormArgs({ type: "string" }) };
const datesState: Story = { args: toFormArgs(dates) };
const filledDates: Story = {
  args: toFormArgs(dates, {
    day: "2026-03-31",
    moment: new Date("2026-03-31T09:30").toISOString(),
    clock: "09:30:00Z",
  }),
};

export const States: Story = showStates(meta, {
  Empty: textsState,
  Filled: filledTexts,
  "With error: the hint and the error describe the field, which is required": {
    args: {
      ...toFormArgs(texts, { code: "abc" }),
      errors: [
        { pointer: "/code", message: "is taken" },
        { pointer: "/description", message: "is required" },
      ],
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Name" })).toBeRequired();
      await expect(canvas.getByRole("textbox", { name: "Name" })).toBeValid();
      const code = canvas.getByRole("textbox", { name: "Code (optional)" });
      await expect(code).not.toBeRequired();
      await expect(code).toBeInvalid();
      await expect(code).toHaveAccessibleDescription("Must be in a form such as “ABC”. Is taken.");
      await expect(
        canvas.getByRole("textbox", { name: "Description (optional)" }),
      ).toHaveAccessibleDescription("What the customer will read. Is required.");
    },
  },
  "Disabled: it can be read": {
    args: { ...filledTexts.args, disabled: true },
    play: async ({ canvas }) => {
      for (const field of canvas.getAllByRole("textbox")) await expect(field).toBeDisabled();
      await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("Ada");
    },
  },
  "Root text": rootText,
  "The time zone is noted once for all times": {
    ...datesState,
    play: async ({ canvas }) => {
      await expect(canvas.getByLabelText("Day (optional)")).not.toHaveAccessibleDescription();
      await expect(canvas.getByLabelText("Moment (optional)")).toHaveAccessibleDescription(
        "When it starts.",
      );
      await expect(canvas.getByLabelText("Clock (optional)")).toHaveAccessibleDescription(
        "When it opens",
      );
      await expect(canvas.getAllByText(/^Times are in your time zone \(.+\)\.$/)).toHaveLength(1);
    },
  },
  "Filled, dates": filledDates,
  "With error, date": {
    args: {
      ...toFormArgs(dates, { day: "2026-03-31" }),
      errors: [{ pointer: "/day", message: "is in the past" }],
    },
    play: async ({ canvas }) => {
      const day = canvas.getByLabelText("Day (optional)");
      await expect(day).toBeInvalid();
      await expect(day).toHaveAccessibleDescription("Is in the past.");
    },
  },
  "Disabled, dates": {
    args: { ...filledDates.args, disabled: true },
    play: async ({ canvas }) => {
      for (const name of ["Day", "Moment", "Clock"]) {
        await expect(canvas.getByLabelText(`${name} (optional)`)).toBeDisabled();
      }
      await expect(canvas.getByLabelText("Day (optional)")).toHaveValue("2026-03-31");
    },
  },
  "A text that cannot be empty has no such choice": {
    args: {
      ...toFormArgs(
        object(
          { code: { type: "string", minLength: 1 }, mail: { type: "string", format: "email" } },
          "code",
          "mail",
        ),
      ),
      errors: [
        { pointer: "/code", message: "is required" },
        { pointer: "/mail", message: "is required" },
      ],
    },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("alert")).toHaveLength(2);
      await expect(canvas.queryByRole("checkbox")).toBeNull();
    },
  },
  "With error: one that repeats the hint replaces it": {
    args: {
      ...toFormArgs(texts),
      errors: [{ pointer: "/code", message: "must be in a form such as “ABC”" }],
    },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("textbox", { name: "Code (optional)" }),
      ).toHaveAccessibleDescription("Must be in a form such as “ABC”.");
    },
  },
});

export const UntouchedSendsNothing = untouched(texts, "Name is required.");
export const UntouchedDateSendsNothing = untouched(
  object({ day: { type: "string", format: "date" } }, "day"),
  "Day is required.",
);

export const TestEmptyChoice: Story = {
  args: { ...toFormArgs(texts), errors: [{ pointer: "/name", message: "is required" }] },
  name: "(Test) Empty text is a choice of its own, and ends with the first character",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole("textbox", { name: "Name" });
    name.focus();
    await userEvent.tab();
    const empty = canvas.getByRole("checkbox", { name: "Leave empty on purpose for Name" });
    await expect(empty).toHaveFocus();
    await userEvent.keyboard(" ");
    await expect(empty).toBeChecked();
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "" });
    await userEvent.type(name, "A");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "A" });
    await userEvent.clear(name);
    await expect(args.onChange).toHaveBeenLastCalledWith({});
    await expect(
      canvas.getByRole("checkbox", { name: "Leave empty on purpose for Name" }),
    ).not.toBeChecked();
  },
};

export const TestTexts: Story = {
  ...textsState,
  name: "(Test) A cleared text has no value",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole("textbox", { name: "Name" });
    const email = canvas.getByRole("textbox", { name: "Email (optional)" });
    await userEvent.type(name, "A");
    await userEvent.type(email, "a@b");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "A", email: "a@b" });
    await userEvent.clear(name);
    await userEvent.clear(email);
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};

export const TestInputTypes: Story = {
  ...textsState,
  name: "(Test) Format, examples and name determine the input",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByLabelText("Email (optional)")).toHaveProperty("type", "email");
    await expect(canvas.getByLabelText("Website (optional)")).toHaveProperty("type", "url");
    await expect(canvas.getByPlaceholderText("ABC")).toBe(canvas.getByLabelText("Code (optional)"));
    await userEvent.type(canvas.getByLabelText("Name"), "A{Enter}B");
    await userEvent.type(canvas.getByLabelText("Description (optional)"), "C{Enter}D");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "AB", description: "C\nD" });
  },
};

export const TestRootText: Story = {
  ...rootText,
  name: "(Test) A root text is multi-line",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Answer" }), "A{Enter}B");
    await expect(args.onChange).toHaveBeenLastCalledWith("A\nB");
  },
};

export const TestMultilinePaste: Story = {
  ...textsState,
  name: "(Test) Pasting line breaks makes the field multi-line",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Name" }));
    await userEvent.paste("one\ntwo");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "one\ntwo" });
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("one\ntwo");
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
    await userEvent.keyboard("{Backspace>4/}!");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "one!" });
  },
};

export const TestDeleteLineBreak: Story = {
  args: toFormArgs(texts, { name: "one\ntwo" }),
  name: "(Test) Deleting the line break keeps the focus",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Name" }));
    await userEvent.keyboard("{Backspace>4/}!");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "one!" });
  },
};

export const TestPasteOverSelection: Story = {
  ...filledTexts,
  name: "(Test) Pasted lines replace the selection",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole<HTMLInputElement>("textbox", { name: "Name" });
    await userEvent.click(name);
    name.setSelectionRange(1, 2);
    await userEvent.paste("1\r\n2");
    await expect(args.onChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ name: "A1\n2a" }),
    );
    await userEvent.keyboard("!");
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("A1\n2!a");
  },
};

/** Long texts wrap. */
export const LongTexts: Story = {
  args: {
    ...toFormArgs(
      object({ name: { type: "string", title: LONG_WORDS, description: LONG_WORDS } }),
      {
        name: LONG_WORD,
      },
    ),
    errors: [{ pointer: "/name", message: `must not be ${LONG_WORD}` }],
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestDates: Story = {
  ...datesState,
  name: "(Test) Dates and times are submitted in the formats of JSON Schema",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText("Day (optional)"), "2026-03-31");
    await userEvent.type(canvas.getByLabelText("Moment (optional)"), "2026-03-31T09:30");
    await userEvent.type(canvas.getByLabelText("Clock (optional)"), "09:30");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      day: "2026-03-31",
      moment: new Date("2026-03-31T09:30").toISOString(),
      clock: "09:30:00Z",
    });
    await expect(canvas.getByLabelText("Moment (optional)")).toHaveValue("2026-03-31T09:30");
  },
};

export const TestFilledDates: Story = {
  ...filledDates,
  name: "(Test) Dates and times are shown in local time and can be cleared",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByLabelText("Day (optional)")).toHaveValue("2026-03-31");
    await expect(canvas.getByLabelText("Moment (optional)")).toHaveValue("2026-03-31T09:30");
    await expect(canvas.getByLabelText("Clock (optional)")).toHaveValue("09:30");
    for (const name of ["Day", "Moment", "Clock"]) {
      await userEvent.clear(canvas.getByLabelText(`${name} (optional)`));
    }
    await expect(args.onChange).toHaveBeenLastCalledWith({});
  },
};
