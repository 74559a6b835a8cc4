import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ComponentProps } from "react";
import { expect, fn, within } from "storybook/test";
import type { AnswerableCall } from "@/contract/call";
import type { JsonValue } from "@/contract/json";
import type { Problem } from "@/contract/problem";
import { type Drafts, createDraft } from "@/components/answers/draft";
import { AnsweredNote, RequiredActionForm } from "@/components/answers/required-action-form";
import { toOpenCall } from "@/test/to-open-call";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { ActionFormWithDrafts } from "./untouched-story";

const NOW = Date.parse("2026-11-21T10:00:00Z");

type FormProps = ComponentProps<typeof RequiredActionForm>;

const MESSAGE_ID = "00000000-0000-7000-8000-000000000001";

const meta = {
  component: RequiredActionForm,
  render: (args) => <ActionFormWithDrafts {...args} />,
  args: {
    action: {
      deadline_at: "2026-11-21T13:20:00Z",
      message_id: MESSAGE_ID,
      tool_calls: [],
      approvals: [],
    },
    drafts: {},
    onDraftChange: fn(),
    onSubmit: fn(),
    onDecide: fn(),
    isSubmitting: false,
    now: NOW,
  },
} satisfies Meta<typeof RequiredActionForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const call = (
  tool_name: string,
  rest: Partial<AnswerableCall> & { output_schema?: JsonValue } = {},
): AnswerableCall => ({ tool_call_id: `call-${tool_name}`, tool_name, args: {}, ...rest });
const waiting = (...tool_calls: AnswerableCall[]): Pick<FormProps, "action"> => ({
  action: {
    deadline_at: "2026-11-21T13:20:00Z",
    message_id: MESSAGE_ID,
    tool_calls: tool_calls.map(toOpenCall),
    approvals: [],
  },
});

const order = call("look_up_order", {
  description: "Looks up an order in the shop's own system and returns its state.",
  args: { order_id: "A-10432", customer: { name: "Ada Lovelace", since: 2019 }, urgent: true },
  output_schema: {
    type: "object",
    properties: {
      state: { enum: ["open", "shipped", "cancelled"], description: "As the warehouse sees it." },
      tracking_number: { type: "string", minLength: 1, examples: ["1Z 999 AA1"] },
      parcels: { type: "integer", minimum: 0 },
      gift: { type: "boolean", title: "It is a gift" },
      delivery_date: { type: "string", format: "date" },
      note: { type: "string" },
    },
    required: ["state", "tracking_number", "parcels", "gift"],
  },
});
const ask = call("ask_colleague", {
  description: "Asks a colleague and returns what they say.",
  args: { question: "May we refund an order that was opened?\nThe customer is a regular." },
});

const formFromSchema: Story = { args: waiting(order) };

const nestedSchema: Story = {
  args: waiting(
    call("book_trip", {
      args: { city: "Lisbon" },
      output_schema: {
        type: "object",
        properties: {
          traveller: {
            type: "object",
            description: "As in the passport.",
            properties: { first_name: { type: "string" }, last_name: { type: "string" } },
            required: ["first_name", "last_name"],
          },
          legs: {
            type: "array",
            items: {
              type: "object",
              properties: {
                from: { type: "string", minLength: 3, maxLength: 3 },
                departs_at: { type: "string", format: "date-time" },
                window_seat: { type: "boolean" },
              },
              required: ["from"],
            },
          },
          tags: { type: "array", items: { type: "string" } },
          meals: {
            type: "array",
            uniqueItems: true,
            items: { enum: ["breakfast", "lunch", "dinner"] },
          },
          payment: {
            oneOf: [
              {
                type: "object",
                properties: { kind: { const: "card" }, last_four: { type: "string" } },
                required: ["kind", "last_four"],
              },
              {
                type: "object",
                properties: { kind: { const: "invoice" }, net_days: { type: "integer" } },
                required: ["kind", "net_days"],
              },
            ],
          },
          comment: { type: ["string", "null"] },
          country: { enum: ["Austria", "Belgium", "Croatia", "Denmark", "Estonia", "Finland"] },
          extras: { type: "object", additionalProperties: { type: "number" } },
          anything: {},
        },
        required: ["traveller", "legs", "payment", "comment"],
      },
    }),
  ),
};

const plainText: Story = { args: waiting(ask) };

const severalCalls: Story = {
  args: waiting(ask, call("is_shop_open", { output_schema: { type: "boolean", title: "Open" } })),
};

const question = call("shop_reserve", {
  args: { title: "Dune" },
  output_schema: { type: "object" },
  elicitation: {
    number: 1,
    message: "Until when shall we keep the book, and who picks it up?",
    requested_schema: {
      type: "object",
      properties: {
        name: { type: "string", title: "Name" },
        until: { type: "string", format: "date", title: "Until" },
        branch: {
          type: "string",
          title: "Branch",
          oneOf: [
            { const: "b1", title: "Town hall" },
            { const: "b2", title: "Harbour" },
          ],
        },
        notify: { type: "boolean", title: "Send an e-mail" },
      },
      required: ["name", "branch"],
    },
  },
});

const questionState: Story = { args: waiting(question) };

const questionAndCall: Story = { args: waiting(question, ask) };

const claimed = {
  ...toOpenCall(ask),
  claim: {
    holder: "runner-7",
    claimed_at: "2026-11-21T09:58:00Z",
    expires_at: "2026-11-21T10:01:00Z",
    progress: { message: "Asking in #support", percent: 20 },
  },
};
const programState: Story = {
  args: {
    action: { ...waiting().action, tool_calls: [claimed] },
  },
};
const programAndPerson: Story = {
  args: {
    action: { ...waiting().action, tool_calls: [claimed, toOpenCall(call("is_shop_open"))] },
  },
};

export const TestClaimed: Story = {
  ...programAndPerson,
  name: "(Test) Only calls that no program works on are asked for, until the person takes one over",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("heading", { name: "Your answer is needed" })).toBeVisible();
    await userEvent.type(canvas.getByRole("textbox"), "Yes");
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith([
      { tool_call_id: "call-is_shop_open", is_error: false, output: "Yes" },
    ]);
    await userEvent.click(canvas.getByRole("button", { name: "Answer it myself" }));
    await expect(canvas.getByRole("heading", { name: "2 answers are needed" })).toBeVisible();
    await expect(canvas.queryByRole("button", { name: "Answer it myself" })).toBeNull();
  },
};

export const TestChosen: Story = {
  args: {
    action: { ...waiting().action, tool_calls: [toOpenCall(call("is_shop_open")), claimed] },
  },
  name: "(Test) A call that the person takes over is shown, with the focus in its answer",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Answer it myself" }));
    await expect(canvas.getByText("2 of 2")).toBeVisible();
    const answer = document.activeElement?.closest("[data-call-id]");
    await expect(answer).toHaveAttribute("data-call-id", claimed.tool_call_id);
  },
};

export const TestQuestion: Story = {
  ...questionState,
  name: "(Test) A question of a server is answered by its fields, declined or cancelled",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("region", { name: "Shop reserve" })).toHaveTextContent(
      "Until when shall we keep the book",
    );
    await expect(canvas.queryByRole("radio", { name: "Answer with an error" })).toBeNull();
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), "Ada");
    await userEvent.click(canvas.getByRole("radio", { name: "Harbour" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    const id = question.tool_call_id;
    await expect(args.onSubmit).toHaveBeenLastCalledWith([
      {
        tool_call_id: id,
        question: 1,
        is_error: false,
        output: { action: "accept", content: { name: "Ada", branch: "b2" } },
      },
    ]);
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith([
      { tool_call_id: id, question: 1, is_error: false, output: { action: "decline" } },
    ]);
    await userEvent.click(canvas.getByRole("button", { name: "Cancel" }));
    await expect(args.onSubmit).toHaveBeenLastCalledWith([
      { tool_call_id: id, question: 1, is_error: false, output: { action: "cancel" } },
    ]);
    await userEvent.click(canvas.getByRole("button", { name: "Answer instead" }));
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("Ada");
  },
};

export const TestQuestionAndCall: Story = {
  ...questionAndCall,
  name: "(Test) A declined question waits for the other answers of its step",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Decline" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.queryByRole("button", { name: "Decline" })).toBeNull();
    await userEvent.type(canvas.getByRole("textbox", { name: "Answer" }), "Yes");
    await userEvent.click(canvas.getByRole("button", { name: "Send 2 answers" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      {
        tool_call_id: question.tool_call_id,
        question: 1,
        is_error: false,
        output: { action: "decline" },
      },
      { tool_call_id: ask.tool_call_id, is_error: false, output: "Yes" },
    ]);
  },
};

const approval: Story = {
  args: {
    action: {
      deadline_at: "2026-11-21T13:20:00Z",
      message_id: MESSAGE_ID,
      tool_calls: [],
      approvals: [
        {
          tool_call_id: "a1",
          tool_name: "exec",
          args: { command: "npm install left-pad && npm test", timeout_seconds: 120 },
          approval_scope: { command: "npm install left-pad && npm test" },
        },
      ],
    },
  },
};

const getApproval = (id: string, command: string) => ({
  tool_call_id: id,
  tool_name: "exec",
  args: { command },
  approval_scope: { command },
});
const severalApprovals: Story = {
  args: {
    action: {
      deadline_at: "2026-11-21T13:20:00Z",
      message_id: MESSAGE_ID,
      tool_calls: [],
      approvals: [getApproval("a1", "npm ci"), getApproval("a2", "npm test")],
    },
  },
};

const submitting: Story = { args: { ...waiting(order), isSubmitting: true } };

const problem: Problem = {
  type: "about:blank",
  title: "Invalid request",
  status: 400,
  detail: "The answers do not fit what the tools promise.",
  code: "invalid",
  request_id: "req_1",
  errors: [
    { pointer: "/results/0/output/tracking_number", message: "must match the pattern “^1Z”" },
    { pointer: "/results", message: "is missing an answer for call-other" },
  ],
};

const filled: Drafts = {
  [order.tool_call_id]: {
    ...createDraft(order),
    form: { value: { state: "open", tracking_number: "999", parcels: 1 } },
  },
};

const UNDECIDED: Problem = {
  ...problem,
  title: "Conflict",
  status: 409,
  code: "conflict",
  errors: [],
  detail: "The chat waits for nothing.",
};

const serverError: Story = {
  args: { ...waiting(order), drafts: filled, problem },
};

export const Answered: Story = {
  args: waiting(order),
  render: () => <AnsweredNote from="by a program with an API key" />,
};

const LONG = "https://example.com/".repeat(20);

export const States: Story = showStates(meta, {
  "Form from schema": formFromSchema,
  "Nested schema": nestedSchema,
  "Plain text": plainText,
  JSON: {
    args: {
      ...waiting(ask),
      drafts: {
        [ask.tool_call_id]: {
          ...createDraft(ask),
          mode: "json",
          json: '{"allowed": true, "limit": 50}',
        },
      },
    },
  },
  "Invalid, JSON": {
    args: {
      ...waiting(ask),
      drafts: {
        [ask.tool_call_id]: { ...createDraft(ask), mode: "json", json: '{"allowed": true, ' },
      },
    },
  },
  "Answer with an error": {
    args: {
      ...waiting(order),
      drafts: {
        [order.tool_call_id]: {
          ...createDraft(order),
          isError: true,
          errorText: "There is no order with this number.",
        },
      },
    },
  },
  "Awaiting result, several calls": severalCalls,
  Question: questionState,
  "A draft for an earlier question of a call is not used": {
    ...questionState,
    args: {
      ...waiting(question),
      drafts: {
        [question.tool_call_id]: { ...createDraft(question), question: 0, refusal: "decline" },
      },
    },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: "Answer instead" })).toBeNull();
      await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("");
    },
  },
  "What the server refuses of an answer is shown at its field": {
    ...questionState,
    args: {
      ...waiting(question),
      problem: {
        type: "about:blank",
        title: "Invalid request",
        status: 400,
        code: "invalid",
        detail: "The answers do not fit.",
        request_id: "req_1",
        errors: [{ pointer: "/results/0/output/content/name", message: "is too short" }],
      },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(
        /Is too short\./,
      );
    },
  },
  "Question and call": questionAndCall,
  "Awaiting programs": programState,
  "Awaiting programs, and for the person": programAndPerson,
  "Awaiting approval": approval,
  "Awaiting approval, several calls": severalApprovals,
  Sending: submitting,
  Failed: serverError,
  "Long arguments": {
    args: waiting(
      call("read_pages", {
        args: {
          url: LONG,
          list_of_things: Array.from({ length: 30 }, (_, index) => ({
            index,
            name: `Thing ${index}`,
          })),
          empty: "",
          nothing: null,
        },
      }),
    ),
  },
  "Invalid arguments": { args: waiting(call("broken_call", { args: '{"city": "Lis' })) },
  "The first step without an answer is shown first": {
    args: {
      ...severalCalls.args,
      drafts: { [ask.tool_call_id]: { ...createDraft(ask), text: "Yes" } },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("2 of 2")).toBeVisible();
    },
  },
  "The limits of a value are hints before they are errors": {
    args: waiting(
      call("rate", {
        output_schema: {
          type: "object",
          properties: {
            stars: { type: "integer", title: "Stars", minimum: 1, maximum: 5 },
            version: { type: "string", title: "Version", pattern: "^v\\d+$", examples: ["v12"] },
            area: {
              type: "string",
              description: "Two letters, such as DE.",
              pattern: "^[A-Z]{2}$",
            },
            code: { type: "string", maxLength: 9, pattern: "^\\d+$" },
            tags: { type: "array", title: "Tags", items: { type: "string" }, maxItems: 3 },
          },
          required: ["stars", "version", "tags"],
        },
      }),
    ),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Stars" })).toHaveAccessibleDescription(
        "Must be 1 or more and 5 or less.",
      );
      await expect(canvas.getByRole("textbox", { name: "Version" })).toHaveAccessibleDescription(
        "Must be in a form such as “v12”.",
      );
      await expect(
        canvas.getByRole("textbox", { name: "Area (optional)" }),
      ).toHaveAccessibleDescription("Two letters, such as DE.");
      await expect(
        canvas.getByRole("textbox", { name: "Code (optional)" }),
      ).toHaveAccessibleDescription("Must have at most 9 characters. Format: ^\\d+$");
      await expect(canvas.getByRole("group", { name: "Tags" })).toHaveAccessibleDescription(
        "Must have at most 3 items.",
      );
    },
  },
  "Failed, approval": {
    args: { ...severalApprovals.args, problem: UNDECIDED },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("The decision was not taken");
      await expect(canvas.getByRole("alert")).toHaveTextContent("The chat waits for nothing.");
    },
  },
});

/** What the form says when it is submitted untouched. */
export const MissingAnswers: Story = {
  ...formFromSchema,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
  },
};

export const TestFillAndSend: Story = {
  ...formFromSchema,
  name: "(Test) Filled fields are submitted, empty optional ones omitted",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "shipped" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Tracking number" }), "1Z 999");
    await userEvent.type(canvas.getByRole("textbox", { name: "Parcels" }), "0");
    await userEvent.click(canvas.getByRole("radio", { name: "No" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      {
        tool_call_id: order.tool_call_id,
        output: { state: "shipped", tracking_number: "1Z 999", parcels: 0, gift: false },
        is_error: false,
      },
    ]);
  },
};

export const TestMissingFields: Story = {
  ...formFromSchema,
  name: "(Test) Missing values are reported at their fields, and the first one is focused",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.queryByRole("alert")).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.getByRole("radio", { name: "open" })).toHaveFocus();
    const tracking = canvas.getByRole("textbox", { name: "Tracking number" });
    await expect(tracking).toHaveAccessibleDescription("Is required.");
    await userEvent.type(tracking, "1Z");
    await expect(tracking).not.toHaveAccessibleDescription("Is required.");
    await userEvent.type(canvas.getByRole("textbox", { name: "Parcels" }), "many");
    await expect(canvas.getByRole("textbox", { name: "Parcels" })).toHaveAccessibleDescription(
      "Must be 0 or more. Must be a whole number.",
    );
  },
};

export const TestEmptyList: Story = {
  args: waiting(
    call("find", {
      output_schema: { title: "Finds", type: "array", items: { type: "string" }, minItems: 1 },
    }),
  ),
  name: "(Test) An error of a whole group focuses and describes the group",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    const finds = canvas.getByRole("group", { name: "Finds" });
    await expect(finds).toHaveFocus();
    await expect(finds).toHaveAccessibleDescription("Is required.");
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Add an item" })).toHaveFocus();
  },
};

export const TestZero: Story = {
  args: waiting(call("count", { output_schema: { type: "number", title: "Count" } })),
  name: "(Test) Zero can be submitted, an empty number cannot",
  play: async ({ args, canvas, userEvent }) => {
    const count = canvas.getByRole("textbox", { name: "Count" });
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(count).toHaveFocus();
    await userEvent.type(count, "0.50{Enter}");
    await expect(args.onSubmit).toHaveBeenLastCalledWith([
      { tool_call_id: "call-count", output: 0.5, is_error: false },
    ]);
    await userEvent.clear(count);
    await userEvent.type(count, "0{Enter}");
    await expect(args.onSubmit).toHaveBeenLastCalledWith([
      { tool_call_id: "call-count", output: 0, is_error: false },
    ]);
  },
};

export const TestFalsyChoices: Story = {
  args: waiting(call("pick", { output_schema: { title: "Pick", enum: [false, 0, "", null] } })),
  name: "(Test) false, 0, empty text and null can be selected",
  play: async ({ args, canvas, userEvent }) => {
    const answers: [string, JsonValue][] = [
      ["No", false],
      ["0", 0],
      ["Empty text", ""],
      ["No value", null],
    ];
    for (const [name, output] of answers) {
      await userEvent.click(canvas.getByRole("radio", { name }));
      await expect(canvas.getByRole("radio", { name })).toBeChecked();
      await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
      await expect(args.onSubmit).toHaveBeenLastCalledWith([
        { tool_call_id: "call-pick", output, is_error: false },
      ]);
    }
  },
};

export const TestEmptyText: Story = {
  ...plainText,
  name: "(Test) Empty text is submitted only if it was chosen",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.click(
      canvas.getByRole("checkbox", { name: "Leave empty on purpose for Answer" }),
    );
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      { tool_call_id: ask.tool_call_id, output: "", is_error: false },
    ]);
  },
};

export const TestJson: Story = {
  ...plainText,
  name: "(Test) JSON is validated while typing; null can be submitted",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "JSON" }));
    const json = canvas.getByRole("textbox", { name: "Answer as JSON" });
    await userEvent.type(json, "nul");
    await expect(json).toBeInvalid();
    await expect(canvas.getByRole("alert")).toHaveTextContent("Is not JSON");
    await userEvent.type(json, "l");
    await expect(json).toBeValid();
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      { tool_call_id: ask.tool_call_id, output: null, is_error: false },
    ]);
  },
};

export const TestAnswerWithAnError: Story = {
  ...formFromSchema,
  name: "(Test) An error answer needs a text but no fields",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "Answer with an error" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    const errorText = canvas.getByRole("textbox", { name: "What went wrong" });
    await expect(errorText).toHaveFocus();
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await userEvent.type(errorText, "No such order");
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      { tool_call_id: order.tool_call_id, output: "No such order", is_error: true },
    ]);
  },
};

export const TestSeveralCalls: Story = {
  ...severalCalls,
  name: "(Test) Several calls are steps that can be left and come back to, and are sent together",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText("1 of 2")).toBeVisible();
    await userEvent.type(canvas.getByRole("textbox", { name: "Answer" }), "Yes, we may");
    await userEvent.click(canvas.getByRole("button", { name: "Next" }));
    await expect(canvas.getByText("2 of 2")).toBeVisible();
    await expect(canvas.queryByRole("textbox", { name: "Answer" })).toBeNull();
    await userEvent.click(canvas.getByRole("radio", { name: "Yes" }));
    await userEvent.click(
      canvas.getByRole("button", { name: "Answer 1: Ask colleague, filled in" }),
    );
    await expect(canvas.getByRole("textbox", { name: "Answer" })).toHaveValue("Yes, we may");
    await expect(canvas.getByRole("textbox", { name: "Answer" })).toHaveFocus();
    await userEvent.click(canvas.getByRole("button", { name: "Send 2 answers" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      { tool_call_id: ask.tool_call_id, output: "Yes, we may", is_error: false },
      { tool_call_id: "call-is_shop_open", output: true, is_error: false },
    ]);
  },
};

export const TestMissingStep: Story = {
  ...severalCalls,
  name: "(Test) An answer that is missing in another step is shown, and its error leads to it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Answer" }), "Yes, we may");
    await userEvent.click(canvas.getByRole("button", { name: "Send 2 answers" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.getByText("2 of 2")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(canvas.getByText("1 of 2")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: /^2 · Is shop open:/ }));
    await expect(canvas.getByText("2 of 2")).toBeVisible();
    await expect(canvas.getByRole("radio", { name: "Yes" })).toHaveFocus();
  },
};

export const TestNested: Story = {
  ...nestedSchema,
  name: "(Test) Nested values with lists and options are submitted",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "First name" }), "Ada");
    await userEvent.type(canvas.getByRole("textbox", { name: "Last name" }), "L");
    const legs = within(canvas.getByRole("group", { name: "Legs" }));
    await userEvent.click(legs.getByRole("button", { name: "Add an item" }));
    await expect(legs.getByRole("textbox", { name: "From" })).toHaveFocus();
    await userEvent.type(legs.getByRole("textbox", { name: "From" }), "VIE");
    await userEvent.click(legs.getByRole("button", { name: "Add another" }));
    await userEvent.click(legs.getByRole("button", { name: "Remove item 2" }));
    await userEvent.click(canvas.getByRole("radio", { name: "Invoice" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "Net days" }), "30");
    await userEvent.click(canvas.getByRole("checkbox", { name: /^No value/ }));
    await userEvent.click(canvas.getByRole("checkbox", { name: "lunch" }));
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    await expect(args.onSubmit).toHaveBeenCalledWith([
      {
        tool_call_id: "call-book_trip",
        output: {
          traveller: { first_name: "Ada", last_name: "L" },
          legs: [{ from: "VIE" }],
          payment: { kind: "invoice", net_days: 30 },
          comment: null,
          meals: ["lunch"],
        },
        is_error: false,
      },
    ]);
  },
};

export const TestModes: Story = {
  ...formFromSchema,
  name: "(Test) Switching the mode converts fields to JSON and back",
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Tracking number" }), "1Z");
    await userEvent.click(canvas.getByRole("radio", { name: "JSON" }));
    const json = canvas.getByRole("textbox", { name: "Answer as JSON" });
    await expect(json).toHaveValue('{\n  "tracking_number": "1Z"\n}');
    await userEvent.clear(json);
    await userEvent.click(json);
    await userEvent.paste('{"state": "open", "tracking_number": "2A", "parcels": 3, "gift": true}');
    await userEvent.click(canvas.getByRole("radio", { name: "Form" }));
    await expect(canvas.getByRole("textbox", { name: "Tracking number" })).toHaveValue("2A");
    await expect(canvas.getByRole("radio", { name: "Yes" })).toBeChecked();
    await expect(canvas.getByRole("radio", { name: "open" })).toBeChecked();
  },
};

export const TestServerError: Story = {
  ...serverError,
  name: "(Test) An error of the server is shown at its field until it changes",
  play: async ({ canvas, userEvent }) => {
    const tracking = canvas.getByRole("textbox", { name: "Tracking number" });
    await expect(tracking).toHaveFocus();
    await expect(tracking).toHaveAccessibleDescription("Must match the pattern “^1Z”.");
    await expect(
      canvas.getByText("/results is missing an answer for call-other."),
    ).toBeInTheDocument();
    await userEvent.type(tracking, "1");
    await expect(tracking).not.toHaveAccessibleDescription("Must match the pattern “^1Z”.");
  },
};

export const TestSubmittingOnce: Story = {
  ...submitting,
  name: "(Test) The form is not submitted again while submitting",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send answer" }));
    canvas.getByRole("button", { name: "Send answer" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestKeyboardOnly: Story = {
  ...severalCalls,
  name: "(Test) The form can be filled and submitted with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    const answer = canvas.getByRole("textbox", { name: "Answer" });
    while (document.activeElement !== answer) await userEvent.tab();
    await userEvent.keyboard("Yes");
    const next = canvas.getByRole("button", { name: "Next" });
    while (document.activeElement !== next) await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    const open = canvas.getByRole("radio", { name: "Yes" });
    await expect(open).toHaveFocus();
    await userEvent.keyboard(" {Control>}{Enter}{/Control}");
    await expect(args.onSubmit).toHaveBeenCalledWith([
      { tool_call_id: ask.tool_call_id, output: "Yes", is_error: false },
      { tool_call_id: "call-is_shop_open", output: true, is_error: false },
    ]);
  },
};

export const TestApprove: Story = {
  ...approval,
  name: "(Test) Approve submits the decision",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
    await expect(args.onDecide).toHaveBeenCalledWith([{ tool_call_id: "a1", decision: "approve" }]);
  },
};

export const TestApproveAll: Story = {
  ...severalApprovals,
  name: "(Test) Approve all submits one decision for each call",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText(/Answer within/)).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Approve all 2" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "approve" },
      { tool_call_id: "a2", decision: "approve" },
    ]);
  },
};

export const TestRejectAll: Story = {
  ...severalApprovals,
  name: "(Test) Reject all submits one reason for all calls, with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    const all = within(canvas.getByRole("group", { name: "All calls" }));
    all.getByRole("button", { name: "Reject all with a reason…" }).focus();
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard("Use yarn");
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "reject", reason: "Use yarn" },
      { tool_call_id: "a2", decision: "reject", reason: "Use yarn" },
    ]);
  },
};

export const TestApproveOneOfSeveral: Story = {
  ...severalApprovals,
  name: "(Test) One of several can be decided alone; one call alone has no buttons for all",
  play: async ({ args, canvas, userEvent }) => {
    const second = canvas.getAllByRole("button", { name: "Approve" })[1];
    if (!second) throw new Error("the second call has no button");
    await userEvent.click(second);
    await expect(args.onDecide).toHaveBeenCalledWith([{ tool_call_id: "a2", decision: "approve" }]);
  },
};

export const TestReject: Story = {
  ...approval,
  name: "(Test) Reject submits the reason",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    const reason = canvas.getByRole("textbox", { name: "Reason" });
    await expect(reason).toHaveFocus();
    await userEvent.type(reason, " Not on this machine ");
    await userEvent.click(canvas.getByRole("button", { name: "Reject" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "reject", reason: "Not on this machine" },
    ]);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      { text: "Ask for all answers of a step at once, and keep drafts." },
      { text: "Take “No”, 0 and empty text as answers." },
    ],
    donts: [{ text: "Do not choose an answer for the person." }],
  }),
};
