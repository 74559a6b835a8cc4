import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import type { AnswerableCall } from "@/contract/call";
import { AnswerFields } from "@/components/answers/answer-fields";
import { createDraft } from "@/components/answers/draft";
import { Controlled } from "../schema-form/controlled";
import { showStates } from "../show-states";
import { untouched } from "./untouched-story";

const call: AnswerableCall = {
  tool_call_id: "call-1",
  tool_name: "look_up_order",
  args: {},
  output_schema: {
    type: "object",
    properties: {
      state: { enum: ["open", "shipped"] },
      parcels: { type: "integer" },
      note: { type: "string" },
    },
    required: ["state", "parcels"],
  },
};
const empty = createDraft(call);

const meta = {
  component: AnswerFields,
  render: (args) => (
    <Controlled value={args.draft} onChange={args.onChange}>
      {({ value, onChange }) => <AnswerFields {...args} draft={value} onChange={onChange} />}
    </Controlled>
  ),
  args: { call, mode: "form", draft: empty, onChange: fn(), errors: [], disabled: false },
} satisfies Meta<typeof AnswerFields>;
export default meta;
type Story = StoryObj<typeof meta>;

const disabledFields: Story = { args: { disabled: true } };

const textState: Story = { args: { mode: "text" } };

const jsonState: Story = { args: { mode: "json" } };
const jsonWithServerError: Story = {
  args: {
    mode: "json",
    draft: { ...empty, json: '{"state": "open", "parcels": 0}' },
    errors: [{ pointer: "/parcels", message: "must be at least 1" }],
  },
};

const errorTextState: Story = { args: { draft: { ...empty, isError: true } } };

export const States: Story = showStates(meta, {
  Fields: {},
  Filled: {
    args: { draft: { ...empty, form: { value: { state: "open", parcels: 2 } } } },
  },
  "With error: it is shown at its field": {
    args: { errors: [{ pointer: "/parcels", message: "must be at least 1" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Parcels" })).toHaveAccessibleDescription(
        "Must be at least 1.",
      );
      await expect(canvas.getByRole("textbox", { name: "Note (optional)" })).toBeValid();
    },
  },
  Disabled: disabledFields,
  Text: textState,
  "With error, text: an error of the whole answer is a sentence": {
    args: { mode: "text", errors: [{ pointer: "", message: "is too long" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Answer" })).toBeInvalid();
      await expect(canvas.getByRole("alert")).toHaveTextContent(/^Is too long\.$/);
    },
  },
  "Disabled, text": {
    args: { mode: "text", draft: { ...empty, text: "It is open." }, disabled: true },
  },
  JSON: jsonState,
  "The reason why there is no form is said": {
    args: { mode: "json", call: { ...call, output_schema: { type: "array" } } },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("textbox", { name: "Answer as JSON" }),
      ).toHaveAccessibleDescription(
        /^There is no form for this answer\. Its schema does not say what is in it\./,
      );
    },
  },
  "Filled, JSON": {
    args: { mode: "json", draft: { ...empty, json: '{"state": "open", "parcels": 0}' } },
  },
  "Invalid, JSON": { args: { mode: "json", draft: { ...empty, json: '{"state": "open", ' } } },
  "Json schema mismatch": { args: { mode: "json", draft: { ...empty, json: "{}" } } },
  "An error of the server replaces the hint that the JSON is valid": {
    ...jsonWithServerError,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("Parcels must be at least 1.");
      await expect(
        canvas.getByRole("textbox", { name: "Answer as JSON" }),
      ).toHaveAccessibleDescription("Parcels must be at least 1.");
      await expect(canvas.queryByText("Valid JSON.")).toBeNull();
    },
  },
  "Several errors of one control are separate sentences": {
    ...jsonWithServerError,
    args: {
      ...jsonWithServerError.args,
      errors: [
        { pointer: "/parcels", message: "must be at least 1" },
        { pointer: "/state", message: "has ended in the server’s words." },
      ],
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent(
        /^Parcels must be at least 1\. State has ended in the server’s words\.$/,
      );
    },
  },
  "Disabled, JSON": { args: { mode: "json", disabled: true } },
  "Error text": errorTextState,
  "With error, error text": {
    args: {
      draft: { ...empty, isError: true },
      errors: [{ pointer: "", message: "must say what went wrong" }],
    },
  },
  "Disabled, error text": {
    args: { draft: { ...empty, isError: true, errorText: "No such order." }, disabled: true },
  },
});

export const TestFields: Story = {
  name: "(Test) Changing a field keeps the rest of the draft",
  args: { draft: { ...empty, text: "kept", form: { value: { state: "open" } } } },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radio", { name: "open" })).toBeChecked();
    await userEvent.type(canvas.getByRole("textbox", { name: "Parcels" }), "0");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      ...args.draft,
      form: { value: { state: "open", parcels: 0 } },
    });
  },
};

export const TestText: Story = {
  name: "(Test) Text is not changed or trimmed",
  ...textState,
  play: async ({ args, canvas, userEvent }) => {
    const answer = canvas.getByRole("textbox", { name: "Answer" });
    await expect(answer).toHaveAccessibleDescription("Sent as entered.");
    await userEvent.type(answer, " 0{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith({ ...empty, text: " 0\n" });
  },
};

export const TestEmptyText: Story = {
  args: { mode: "text", errors: [{ pointer: "", message: "is required" }] },
  name: "(Test) Empty text is a choice of its own, and ends with the first character",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("checkbox", { name: "Leave empty on purpose for Answer" }),
    );
    await expect(args.onChange).toHaveBeenLastCalledWith({ ...empty, isEmpty: true });
    await userEvent.type(canvas.getByRole("textbox", { name: "Answer" }), "A");
    await expect(args.onChange).toHaveBeenLastCalledWith({ ...empty, text: "A" });
  },
};

export const UntouchedSendsNothing = untouched(undefined, "The answer is required.");
export const UntouchedJsonSendsNothing = untouched(
  { type: "object", allOf: [{ required: ["a"] }] },
  "The answer must be a JSON value.",
);

export const TestJson: Story = {
  name: "(Test) JSON is validated against the schema while typing",
  ...jsonState,
  play: async ({ args, canvas, userEvent }) => {
    const json = canvas.getByRole("textbox", { name: "Answer as JSON" });
    await expect(json).toBeValid();
    await userEvent.type(json, "nul");
    await expect(canvas.getByRole("alert")).toHaveTextContent(/^Is not JSON/);
    await userEvent.clear(json);
    await userEvent.paste('{"state": "open"}');
    await expect(canvas.getByRole("alert")).toHaveTextContent(/^Parcels is required/);
    await userEvent.clear(json);
    await userEvent.paste('{"state": "open", "parcels": 0}');
    await expect(json).toBeValid();
    await expect(json).toHaveAccessibleDescription("Valid JSON.");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      ...empty,
      json: '{"state": "open", "parcels": 0}',
    });
  },
};

export const TestErrorText: Story = {
  name: "(Test) An error answer has only one field in every mode",
  ...errorTextState,
  play: async ({ args, canvas, userEvent }) => {
    const errorText = canvas.getByRole("textbox", { name: "What went wrong" });
    await expect(canvas.getAllByRole("textbox")).toHaveLength(1);
    await userEvent.type(errorText, "No");
    await expect(args.onChange).toHaveBeenLastCalledWith({ ...args.draft, errorText: "No" });
  },
};

export const TestDisabled: Story = {
  name: "(Test) Disabled fields cannot be changed",
  ...disabledFields,
  render: (args) => (
    <>
      <AnswerFields {...args} />
      <AnswerFields {...args} mode="text" />
      <AnswerFields {...args} mode="json" />
      <AnswerFields {...args} draft={{ ...empty, isError: true }} />
    </>
  ),
  play: async ({ canvas }) => {
    const controls = [...canvas.getAllByRole("textbox"), ...canvas.getAllByRole("radio")];
    for (const control of controls) await expect(control).toBeDisabled();
  },
};
