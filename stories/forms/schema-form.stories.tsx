import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, within } from "storybook/test";
import type { JsonObject, JsonValue } from "@/contract/json";
import { completeOutput, startingOutput } from "@/components/forms/complete-output";
import { formSchema } from "@/components/forms/form-schema";
import { SchemaForm } from "@/components/forms/schema-form";

type FormProps = ComponentProps<typeof SchemaForm>;

/** Keeps the value, and tells what it would be sent as. */
const WithValue = (props: FormProps) => {
  const [value, setValue] = useState(props.value);
  return (
    <SchemaForm
      {...props}
      value={value}
      onChange={(next) => {
        setValue(next);
        props.onChange(completeOutput(props.schema, next));
      }}
    />
  );
};

const meta = {
  component: SchemaForm,
  render: (args) => <WithValue {...args} />,
  args: {
    id: "form",
    schema: {},
    value: undefined,
    problems: [],
    disabled: false,
    onChange: fn(),
  },
} satisfies Meta<typeof SchemaForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const of = (schema: JsonObject): Pick<FormProps, "schema" | "value"> => {
  const drawn = formSchema(schema) ?? {};
  return { schema: drawn, value: startingOutput(drawn) };
};
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});

export const Texts: Story = {
  args: of(
    object(
      {
        name: { type: "string" },
        email: { type: "string", format: "email" },
        website: { type: "string", format: "uri" },
        code: { type: "string", pattern: "^[A-Z]{3}$", examples: ["ABC"] },
        description: { type: "string", description: "What the customer will read." },
      },
      "name",
    ),
  ),
};
export const Numbers: Story = {
  args: of(object({ price: { type: "number" }, count: { type: "integer", default: 3 } }, "price")),
};
export const Booleans: Story = {
  args: of(
    object(
      { agreed: { type: "boolean" }, newsletter: { type: "boolean", description: "Monthly." } },
      "agreed",
    ),
  ),
};
export const Choices: Story = {
  args: of(
    object(
      {
        size: { enum: ["S", "M", "L"] },
        color: { enum: ["red", "green", "blue", "white", "black"] },
        level: {
          oneOf: [
            { const: 1, title: "Low" },
            { const: 2, title: "High" },
          ],
        },
        tags: { type: "array", uniqueItems: true, items: { enum: ["new", "sale"] } },
        version: { const: 2 },
      },
      "size",
      "version",
    ),
  ),
};
export const Dates: Story = {
  args: of(
    object({
      day: { type: "string", format: "date" },
      moment: { type: "string", format: "date-time" },
      clock: { type: "string", format: "time" },
    }),
  ),
};
export const Lists: Story = {
  args: {
    ...of(object({ words: { type: "array", items: { type: "string" } } }, "words")),
    value: { words: ["one", "two", "three"] },
  },
};
export const FreeFields: Story = {
  args: {
    ...of(object({ prices: { type: "object", additionalProperties: { type: "number" } } })),
    value: { prices: { apple: 1.5 } },
  },
};
export const FreeJson: Story = {
  args: of(object({ anything: {}, settings: { type: "object" } }, "anything")),
};
export const Recursive: Story = {
  args: of({
    $ref: "#/$defs/node",
    $defs: {
      node: object({ name: { type: "string" }, next: { $ref: "#/$defs/node" } }, "name"),
    },
  }),
};
export const Conditional: Story = {
  args: of({
    ...object({ refund: { type: "boolean" } }, "refund"),
    if: { properties: { refund: { const: true } } },
    then: object({ amount: { type: "number" } }, "amount"),
  }),
};
export const Parts: Story = {
  args: of({
    allOf: [
      object({ first: { type: "string" } }, "first"),
      object({ second: { type: "boolean" } }, "second"),
    ],
  }),
};
export const WholeAnswerIsAChoice: Story = { args: of({ enum: ["yes", "no", "later"] }) };
export const WholeAnswerIsAList: Story = {
  args: of({ type: "array", items: object({ sku: { type: "string" } }, "sku") }),
};
export const WholeAnswerIsOfSeveralForms: Story = {
  args: of({ anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] }),
};
export const WholeAnswerIsNull: Story = { args: of({ type: "null" }) };
export const OddNames: Story = {
  args: of(
    object(
      { "a.b": { type: "string" }, "c/d": { type: "string" }, "e f": { type: "string" } },
      "a.b",
      "c/d",
      "e f",
    ),
  ),
};
export const Disabled: Story = { args: { ...Choices.args, disabled: true } };
export const UntickedProblem: Story = {
  args: {
    ...of(object({ agreed: { type: "boolean", description: "To the terms." } }, "agreed")),
    problems: [{ pointer: "/agreed", message: "must be true" }],
  },
};
export const WithProblems: Story = {
  args: {
    ...Lists.args,
    problems: [
      { pointer: "/words", message: "must have at most 2 items" },
      { pointer: "/words/1", message: "must have at least 5 characters" },
    ],
  },
};

export const TestMount: Story = {
  args: of(
    object(
      {
        name: { type: "string", default: "Ada" },
        items: { type: "array", minItems: 2, items: { type: "string" } },
        version: { const: 2 },
        inner: object({ a: { type: "boolean" }, b: { type: "null" } }, "a", "b"),
        either: { anyOf: [{ type: "string" }, object({ x: { type: "number" } }, "x")] },
      },
      "version",
      "items",
      "inner",
      "either",
    ),
  ),
  name: "(Test) Being shown changes nothing",
  play: async ({ args, canvas }) => {
    await expect(canvas.getByRole("textbox", { name: "Name (optional)" })).toHaveValue("Ada");
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

export const TestTexts: Story = {
  ...Texts,
  name: "(Test) An emptied required text is empty, an emptied optional one is left out",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole("textbox", { name: "Name" });
    const email = canvas.getByRole("textbox", { name: "Email (optional)" });
    await userEvent.type(name, "A");
    await userEvent.type(email, "a@b");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "A", email: "a@b" });
    await userEvent.clear(name);
    await userEvent.clear(email);
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "" });
  },
};

export const TestPasteLines: Story = {
  ...Texts,
  name: "(Test) Pasted line breaks are kept",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Name" }));
    await userEvent.paste("one\ntwo");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "one\ntwo" });
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("one\ntwo");
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
  },
};

export const TestNumbers: Story = {
  ...Numbers,
  name: "(Test) Numbers are numbers, defaults can be taken away",
  play: async ({ args, canvas, userEvent }) => {
    const price = canvas.getByRole("textbox", { name: "Price" });
    await userEvent.type(price, "-0.50");
    await expect(price).toHaveValue("-0.50");
    await expect(args.onChange).toHaveBeenLastCalledWith({ price: -0.5, count: 3 });
    await userEvent.clear(canvas.getByRole("textbox", { name: "Count (optional)" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ price: -0.5 });
  },
};

export const TestBooleans: Story = {
  ...Booleans,
  name: "(Test) An optional yes or no has three states",
  play: async ({ args, canvas, userEvent }) => {
    const newsletter = within(canvas.getByRole("radiogroup", { name: "Newsletter (optional)" }));
    await expect(newsletter.getByRole("radio", { name: "Leave out" })).toBeChecked();
    await userEvent.click(newsletter.getByRole("radio", { name: "No" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ agreed: false, newsletter: false });
    await userEvent.click(newsletter.getByRole("radio", { name: "Leave out" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ agreed: false });
    await userEvent.click(canvas.getByRole("checkbox", { name: "Agreed" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ agreed: true });
  },
};

export const TestChoices: Story = {
  ...Choices,
  name: "(Test) Choices keep their type and can be taken back",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "M" }));
    await userEvent.click(canvas.getByRole("radio", { name: "High" }));
    await userEvent.selectOptions(
      canvas.getByRole("combobox", { name: "Color (optional)" }),
      "blue",
    );
    await userEvent.click(canvas.getByRole("checkbox", { name: "sale" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({
      size: "M",
      level: 2,
      color: "blue",
      tags: ["sale"],
      version: 2,
    });
    await userEvent.selectOptions(
      canvas.getByRole("combobox", { name: "Color (optional)" }),
      "Leave out",
    );
    await userEvent.click(canvas.getByRole("checkbox", { name: "sale" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({
      size: "M",
      level: 2,
      tags: [],
      version: 2,
    });
  },
};

export const TestDates: Story = {
  ...Dates,
  name: "(Test) Dates and times are in the formats that schemas mean",
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

export const TestLists: Story = {
  ...Lists,
  name: "(Test) Items are moved, removed and added",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Move item 1 down" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "one", "three"] });
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 2" }));
    await userEvent.click(canvas.getByRole("button", { name: "Add another" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "three", ""] });
    await userEvent.keyboard("four");
    await expect(args.onChange).toHaveBeenLastCalledWith({ words: ["two", "three", "four"] });
  },
};

export const TestFreeFields: Story = {
  ...FreeFields,
  name: "(Test) Fields get names, and go",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add field" }));
    const names = canvas.getAllByRole("textbox", { name: "Name" });
    await expect(names).toHaveLength(2);
    const [, name] = names;
    if (!name) throw new Error("the new field is missing");
    await userEvent.clear(name);
    await userEvent.type(name, "pear");
    await userEvent.tab();
    await userEvent.clear(canvas.getByRole("textbox", { name: "pear" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "pear" }), "2");
    await expect(args.onChange).toHaveBeenLastCalledWith({ prices: { apple: 1.5, pear: 2 } });
    await userEvent.click(canvas.getByRole("button", { name: "Remove apple" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ prices: { pear: 2 } });
  },
};

export const TestFreeJson: Story = {
  ...FreeJson,
  name: "(Test) Free places take JSON",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Anything" }));
    await userEvent.paste("[1, null]");
    await expect(args.onChange).toHaveBeenLastCalledWith({ anything: [1, null] });
    const settings = canvas.getByRole("textbox", { name: "Settings (optional)" });
    await userEvent.click(settings);
    await userEvent.paste('{"a": ');
    await expect(settings).toHaveAccessibleDescription(/Must be valid JSON\./);
    await userEvent.paste("1}");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      anything: [1, null],
      settings: { a: 1 },
    });
  },
};

export const TestConditional: Story = {
  ...Conditional,
  name: "(Test) A field appears when it is needed",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.queryByRole("textbox", { name: "Amount" })).toBeNull();
    await userEvent.click(canvas.getByRole("checkbox", { name: "Refund" }));
    await userEvent.type(await canvas.findByRole("textbox", { name: "Amount" }), "5");
    await expect(args.onChange).toHaveBeenLastCalledWith({ refund: true, amount: 5 });
  },
};

export const TestRecursive: Story = {
  ...Recursive,
  name: "(Test) A schema that contains itself is filled in level by level",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "a");
    await userEvent.click(canvas.getByRole("button", { name: "Fill in “Next”" }));
    const [, inner] = canvas.getAllByRole("textbox", { name: "Name" });
    if (!inner) throw new Error("the inner field is missing");
    await userEvent.type(inner, "b");
    await expect(args.onChange).toHaveBeenLastCalledWith({ name: "a", next: { name: "b" } });
  },
};

export const TestParts: Story = {
  ...Parts,
  name: "(Test) Parts of a schema are one form",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "First" }), "x");
    await userEvent.click(canvas.getByRole("checkbox", { name: "Second" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ first: "x", second: true });
  },
};

const answers: [option: string, typed: string | undefined, output: JsonValue][] = [
  ["Number", "0", 0],
  ["None (null)", undefined, null],
  ["Text", "zero", "zero"],
];

export const TestSeveralForms: Story = {
  ...WholeAnswerIsOfSeveralForms,
  name: "(Test) The whole answer may have several forms",
  play: async ({ args, canvas, userEvent }) => {
    for (const [option, typed, output] of answers) {
      await userEvent.click(canvas.getByRole("radio", { name: option }));
      await expect(canvas.getByRole("radio", { name: option })).toBeChecked();
      if (typed !== undefined) await userEvent.type(canvas.getByRole("textbox"), typed);
      await expect(args.onChange).toHaveBeenLastCalledWith(output);
    }
  },
};

export const TestOddNames: Story = {
  ...OddNames,
  name: "(Test) Names with dots, slashes and spaces are names",
  play: async ({ args, canvas, userEvent }) => {
    const [dot, slash, space] = canvas.getAllByRole("textbox");
    if (!dot || !slash || !space) throw new Error("a field is missing");
    await userEvent.type(dot, "1");
    await userEvent.type(slash, "2");
    await userEvent.type(space, "3");
    await expect(args.onChange).toHaveBeenLastCalledWith({ "a.b": "1", "c/d": "2", "e f": "3" });
  },
};

export const TestProblems: Story = {
  ...WithProblems,
  name: "(Test) Problems are at their fields",
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Must have at most 2 items.")).toBeInTheDocument();
    await expect(canvas.getByRole("textbox", { name: "Words 2" })).toHaveAccessibleDescription(
      "Must have at least 5 characters.",
    );
  },
};

export const TestUnticked: Story = {
  ...UntickedProblem,
  name: "(Test) What is wrong with a box to tick is read with it, after its hint",
  play: async ({ canvas }) => {
    const box = canvas.getByRole("checkbox", { name: "Agreed" });
    await expect(box).toBeInvalid();
    await expect(box).toHaveAccessibleDescription("To the terms. Must be true.");
  },
};
