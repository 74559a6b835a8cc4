import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import { AnswerForm } from "@/components/answers/answer-form";
import { createDraft, type Drafts } from "@/components/answers/draft";
import type { AnswerableCall } from "@/contract/call";
import type { Problem } from "@/contract/problem";
import { showStates } from "../show-states";

/** Stores the drafts, as the page does. */
const AnswerFormWithDrafts = (props: ComponentProps<typeof AnswerForm>) => {
  const [drafts, setDrafts] = useState<Drafts>(props.drafts);
  return (
    <AnswerForm
      {...props}
      drafts={drafts}
      onDraftChange={(id, draft) => {
        setDrafts((others) => ({ ...others, [id]: draft }));
        props.onDraftChange(id, draft);
      }}
    />
  );
};

const NAME: AnswerableCall = {
  tool_call_id: "call-1",
  tool_name: "ask_name",
  args: { of: "the boat" },
  output_schema: {
    type: "object",
    properties: { name: { type: "string", minLength: 1 } },
    required: ["name"],
  },
};
const NOTE: AnswerableCall = { tool_call_id: "call-2", tool_name: "ask_note", args: {} };

const waiting = (...calls: AnswerableCall[]) => ({ calls });
const note = (text: string): Drafts => ({ "call-2": { ...createDraft(NOTE), text } });
const refused: Problem = {
  type: "about:blank",
  title: "Unprocessable",
  status: 422,
  detail: "Some results do not fit.",
  code: "unprocessable",
  request_id: "req-1",
  errors: [{ pointer: "/results/1/output", message: "must be shorter" }],
};

const meta = {
  component: AnswerForm,
  render: (args) => <AnswerFormWithDrafts {...args} />,
  args: {
    ...waiting(NAME, NOTE),
    drafts: {},
    onDraftChange: fn(),
    onSubmit: fn(),
    isSubmitting: false,
  },
  decorators: [(Story) => <div className="rounded-xl border bg-raised">{Story()}</div>],
} satisfies Meta<typeof AnswerForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const sending: Story = {
  args: { ...waiting(NOTE), drafts: note("Done"), isSubmitting: true },
};

export const States: Story = showStates(meta, {
  "One answer": { args: waiting(NAME) },
  "First of two": {},
  "Second filled in": { args: { drafts: note("Low water at six.") } },
  Sending: sending,
  Failed: {
    args: { drafts: note("Much too long"), problem: refused },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("must be shorter");
    },
  },
});

export const TestAll: Story = {
  name: "(Test) All answers are sent together, in the order of the calls",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: /name/i }), "Ada");
    await userEvent.click(canvas.getByRole("button", { name: "Next" }));
    await userEvent.type(canvas.getByRole("textbox"), "Low water at six.");
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.click(canvas.getByRole("button", { name: "Send 2 answers" }));
    await expect(args.onSubmit).toHaveBeenCalledOnce();
    await expect(args.onSubmit).toHaveBeenCalledWith([
      expect.objectContaining({ tool_call_id: "call-1", output: { name: "Ada" } }),
      expect.objectContaining({ tool_call_id: "call-2", output: "Low water at six." }),
    ]);
  },
};

export const TestMissing: Story = {
  name: "(Test) A missing answer is not sent, and its field gets the focus",
  args: { drafts: note("Low water at six.") },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Answer 2/ }));
    await userEvent.click(canvas.getByRole("button", { name: "Send 2 answers" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.getByText("1 of 2")).toBeVisible();
    await expect(canvas.getByRole("textbox", { name: /name/i })).toHaveFocus();
  },
};

export const TestBusy: Story = {
  name: "(Test) An answer that is on its way is not sent again",
  ...sending,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};
