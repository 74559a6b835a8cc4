import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import type { PendingToolCall } from "@/contract/chat";
import { AnswerFields } from "@/components/forms/answer-fields";
import { createDraft } from "@/components/forms/draft";
import { Controlled } from "./controlled";

const call: PendingToolCall = {
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

export const Fields: Story = {};
export const FilledFields: Story = {
  args: { draft: { ...empty, form: { value: { state: "open", parcels: 2 } } } },
};
export const RefusedFields: Story = {
  args: { errors: [{ pointer: "/parcels", message: "must be at least 1" }] },
};
export const DisabledFields: Story = { args: { disabled: true } };

export const Text: Story = { args: { mode: "text" } };
export const RefusedText: Story = {
  args: { mode: "text", errors: [{ pointer: "", message: "is too long" }] },
};
export const DisabledText: Story = {
  args: { mode: "text", draft: { ...empty, text: "It is open." }, disabled: true },
};

export const Json: Story = { args: { mode: "json" } };
export const ValidJson: Story = {
  args: { mode: "json", draft: { ...empty, json: '{"state": "open", "parcels": 0}' } },
};
export const BrokenJson: Story = {
  args: { mode: "json", draft: { ...empty, json: '{"state": "open", ' } },
};
export const UnfitJson: Story = { args: { mode: "json", draft: { ...empty, json: "{}" } } };
export const RefusedJson: Story = {
  args: {
    mode: "json",
    draft: { ...empty, json: '{"state": "open", "parcels": 0}' },
    errors: [{ pointer: "/parcels", message: "must be at least 1" }],
  },
};
export const DisabledJson: Story = { args: { mode: "json", disabled: true } };

export const ErrorText: Story = { args: { draft: { ...empty, isError: true } } };
export const RefusedErrorText: Story = {
  args: {
    draft: { ...empty, isError: true },
    errors: [{ pointer: "", message: "must say what went wrong" }],
  },
};
export const DisabledErrorText: Story = {
  args: { draft: { ...empty, isError: true, errorText: "No such order." }, disabled: true },
};

export const TestFields: Story = {
  name: "(Test) The fields change what they hold and leave the rest of the draft",
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

export const TestRefusedFields: Story = {
  name: "(Test) A problem is at the field that it is about",
  ...RefusedFields,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("textbox", { name: "Parcels" })).toHaveAccessibleDescription(
      "Must be at least 1.",
    );
    await expect(canvas.getByRole("textbox", { name: "Note (optional)" })).toBeValid();
  },
};

export const TestText: Story = {
  name: "(Test) Text is kept as it is typed",
  ...Text,
  play: async ({ args, canvas, userEvent }) => {
    const answer = canvas.getByRole("textbox", { name: "Answer" });
    await expect(answer).toHaveAccessibleDescription("Sent as it is; empty text is an answer too.");
    await userEvent.type(answer, " 0{Enter}");
    await expect(args.onChange).toHaveBeenLastCalledWith({ ...empty, text: " 0\n" });
  },
};

export const TestRefusedText: Story = {
  name: "(Test) A problem of the answer as a whole is a sentence of its own",
  ...RefusedText,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("textbox", { name: "Answer" })).toBeInvalid();
    await expect(canvas.getByRole("alert")).toHaveTextContent(/^Is too long\.$/);
  },
};

export const TestJson: Story = {
  name: "(Test) JSON is checked while it is typed, against the tool’s schema too",
  ...Json,
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
    await expect(json).toHaveAccessibleDescription("Valid.");
    await expect(args.onChange).toHaveBeenLastCalledWith({
      ...empty,
      json: '{"state": "open", "parcels": 0}',
    });
  },
};

export const TestRefusedJson: Story = {
  name: "(Test) JSON that only the server refuses shows what it said",
  ...RefusedJson,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent("Parcels must be at least 1.");
    await expect(
      canvas.getByRole("textbox", { name: "Answer as JSON" }),
    ).toHaveAccessibleDescription("Parcels must be at least 1.");
    await expect(canvas.queryByText("Valid.")).toBeNull();
  },
};

export const TestSeveralProblems: Story = {
  name: "(Test) Several problems of one control are a sentence each",
  ...RefusedJson,
  args: {
    ...RefusedJson.args,
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
};

export const TestErrorText: Story = {
  name: "(Test) An answer that is an error asks for its words, whatever the mode",
  ...ErrorText,
  play: async ({ args, canvas, userEvent }) => {
    const words = canvas.getByRole("textbox", { name: "What went wrong" });
    await expect(canvas.getAllByRole("textbox")).toHaveLength(1);
    await userEvent.type(words, "No");
    await expect(args.onChange).toHaveBeenLastCalledWith({ ...args.draft, errorText: "No" });
  },
};

export const TestDisabled: Story = {
  name: "(Test) What is being sent cannot be changed",
  ...DisabledFields,
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
