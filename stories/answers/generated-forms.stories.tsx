import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, mocked, waitFor, within } from "storybook/test";
import type { SubmittedToolResult } from "@/contract/call-inputs";
import type { JsonObject } from "@/contract/json";
import { RequiredActionForm } from "@/components/answers/required-action-form";
import { toOpenCall } from "@/test/to-open-call";
import { GENERATOR_SCHEMAS } from "./generator-schemas";
import { ActionFormWithDrafts } from "./untouched-story";

const toAction = (output_schema: JsonObject) => ({
  deadline_at: "2026-11-21T13:20:00Z",
  message_id: "00000000-0000-7000-8000-000000000001",
  approvals: [],
  tool_calls: [toOpenCall({ tool_call_id: "call-1", tool_name: "ask", args: {}, output_schema })],
});

/** The forms of what generators write, filled in by the keyboard on the width of a phone. */
const meta = {
  component: RequiredActionForm,
  render: (args) => <ActionFormWithDrafts {...args} />,
  args: {
    action: toAction({}),
    drafts: {},
    onDraftChange: fn(),
    onSubmit: fn(),
    onDecide: fn(),
    isSubmitting: false,
    now: Date.parse("2026-11-21T10:00:00Z"),
  },
  globals: { viewport: { value: "phone" } },
} satisfies Meta<typeof RequiredActionForm>;
export default meta;
type Story = StoryObj<typeof meta>;

type PlayContext = Parameters<NonNullable<Story["play"]>>[0];

type Person = Pick<PlayContext, "canvas" | "canvasElement" | "userEvent"> & {
  /** Types from the control with the focus on; `{Tab}` goes to the next one. */
  press: (keys: string) => Promise<void>;
  /** Focuses a control by its name. */
  focus: (role: string, name: string | RegExp) => void;
};

/** Creates a story that fills in a form, sends it and compares the text of the JSON that is sent. */
const fill = (
  name: keyof typeof GENERATOR_SCHEMAS,
  act: (person: Person) => Promise<void>,
  sent: string,
): Story => ({
  args: { action: toAction(GENERATOR_SCHEMAS[name]), onSubmit: fn() },
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const press = async (keys: string) => {
      await userEvent.keyboard(keys);
    };
    const focus = (role: string, label: string | RegExp) =>
      canvas.getByRole(role, { name: label }).focus();
    await act({ canvas, canvasElement, press, focus, userEvent });
    await expect(window.innerWidth).toBe(390);
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    focus("button", "Send answer");
    await press("{Enter}");
    await expect(canvas.queryByText("Not sent yet:")).toBeNull();
    await expect(args.onSubmit).toHaveBeenCalledOnce();
    const results = mocked(args.onSubmit).mock.lastCall?.[0] as SubmittedToolResult[];
    await expect(JSON.stringify(results[0]?.output)).toBe(sent);
  },
});

export const Nested = fill(
  "nested",
  async ({ press, focus, canvas, userEvent }) => {
    focus("textbox", "Full name");
    await press("Ada{Tab}Main Street 1{Tab}12345");
    await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Country" }), "NG");
    focus("textbox", "Lat (optional)");
    await press("6,45{Tab}3.39");
  },
  '{"guest":{"name":"Ada","home":{"street":"Main Street 1","zip":"12345","country":"NG","place":{"lat":6.45,"lon":3.39}}}}',
);

export const ListOfObjects = fill(
  "list-of-objects",
  async ({ press, focus }) => {
    focus("button", "Add an item");
    await press("{Enter}A-1");
    focus("textbox", "Price");
    await press("9,99");
    focus("button", "Add another");
    await press("{Enter}B-2{Tab}");
    await press("{Control>}a{/Control}12{Tab}1.000,50");
  },
  '{"lines":[{"sku":"A-1","quantity":1,"price":9.99},{"sku":"B-2","quantity":12,"price":1000.5}]}',
);

export const UnionOfConstants = fill(
  "union-of-constants",
  async ({ press, focus }) => {
    focus("radio", "Card");
    await press("{ArrowDown}");
    focus("textbox", "Iban");
    await press("DE02 1203 0000");
  },
  '{"payment":{"kind":"transfer","iban":"DE02 1203 0000"}}',
);

export const UnionOfReferences = fill(
  "union-of-references",
  async ({ press, focus, canvas }) => {
    focus("radio", "Email");
    await press("{ArrowDown}");
    await expect(
      canvas.getByRole("checkbox", { name: "No value for Extension (optional)" }),
    ).toBeChecked();
    focus("textbox", "Number");
    await press("+49 30 1");
  },
  '{"contact":{"type":"phone","number":"+49 30 1","extension":null}}',
);

export const TitledValues = fill(
  "titled-values",
  async ({ press, focus, canvas, userEvent }) => {
    const severity = canvas.getByRole("combobox", { name: "Severity" });
    await userEvent.selectOptions(severity, "Everything is on fire");
    focus("checkbox", "docs");
    await press(" {Tab} ");
    focus("radio", "Beta");
    await press(" ");
  },
  '{"severity":5,"tags":["docs","speed"],"mode":"b"}',
);

const MEETING = new Date(2026, 10, 30, 9, 15);

export const Formats = fill(
  "formats",
  async ({ press, focus, canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText("Born on"), "1990-02-28");
    await userEvent.type(canvas.getByLabelText("Meeting"), "2026-11-30T09:15");
    focus("textbox", "Duration (optional)");
    await press("PT15M{Tab}https://example.com{Tab}ada@example.com");
    focus("textbox", "Ip (optional)");
    await press("192.0.2.7");
  },
  `{"birth":"1990-02-28","meeting":"${MEETING.toJSON()}","duration":"PT15M","url":"https://example.com","mail":"ada@example.com","ip":"192.0.2.7"}`,
);

/** A PNG of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const Files = fill(
  "files",
  async ({ press, canvasElement, canvas, userEvent }) => {
    const bytes = Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0));
    const [photo] = canvasElement.querySelectorAll<HTMLInputElement>("input[type=file]");
    if (!photo) throw new Error("there is no picker");
    await userEvent.upload(photo, new File([bytes], "meter.png", { type: "image/png" }));
    await waitFor(() => expect(canvas.getByText(/meter\.png/)).toBeVisible());
    canvas.getByLabelText("Password (optional)").focus();
    await press("correct horse");
  },
  `{"photo":"${PIXEL}","password":"correct horse"}`,
);

export const LongTexts = fill(
  "long-texts",
  async ({ press, focus }) => {
    focus("textbox", "Report");
    await press("The meter was{Enter}not to be read.{Tab}Unreadable");
    focus("textbox", "Data (optional)");
    await press('{{"a": 1}');
    focus("textbox", "Page (optional)");
    await press("# Title");
  },
  String.raw`{"report":"The meter was\nnot to be read.","summary":"Unreadable","data":"{\"a\": 1}","page":"# Title"}`,
);

export const Numbers = fill(
  "numbers",
  async ({ press, focus }) => {
    focus("textbox", "Quantity");
    await press("15{Tab}15 %{Tab}9,99 €{Tab}12345678901234567890{Tab}\u2212 0");
    await press("{Backspace}{Backspace}{Backspace}\u22120,5{Tab}+5");
  },
  '{"quantity":15,"rate":0.15,"price":9.99,"big":12345678901234567890,"debt":-0.5,"rating":5}',
);

export const Maps = fill(
  "maps",
  async ({ press, canvas }) => {
    const [env, labels] = canvas.getAllByRole("button", { name: "Add an item" });
    env?.focus();
    await press("{Enter}HOME{Tab}/root");
    labels?.focus();
    await press("{Enter}area{Tab}docs");
  },
  '{"env":{"HOME":"/root"},"labels":{"area":"docs"}}',
);

export const ValuesOrNone = fill(
  "values-or-none",
  async ({ press, focus }) => {
    focus("checkbox", "No value for Due");
    await press(" ");
    focus("textbox", "Assignee");
    await press("Ada");
    focus("textbox", "Estimate");
    await press("0");
    focus("radio", "No value");
    await press(" ");
  },
  '{"due":null,"assignee":"Ada","estimate":0,"kind":null}',
);

export const DefaultsAndFixed = fill(
  "defaults-and-fixed",
  async ({ focus, press, canvas }) => {
    await expect(canvas.getByRole("group", { name: "Id" })).toHaveTextContent("ORD-17");
    await expect(canvas.getByLabelText("Secret (optional)")).toHaveAttribute("type", "password");
    focus("button", "Add another");
    await press("{Enter}c");
  },
  '{"id":"ORD-17","status":"paid","notify":true,"count":3,"list":["a","b","c"]}',
);

export const FortyFields = fill(
  "forty-fields",
  async ({ focus, press, canvas }) => {
    await expect(canvas.getByText("0 of 40 filled in, 2 required are missing")).toBeVisible();
    focus("textbox", "Count 1");
    await press("7");
    await expect(canvas.getByRole("textbox", { name: "Text 35" })).not.toBeVisible();
    focus("button", "Send answer");
    await press("{Enter}");
    // The part of the first missing field is opened.
    await expect(canvas.getByRole("textbox", { name: "Text 35" })).toHaveFocus();
    await press("x");
    focus("button", "Go to part 2");
    await press("{Enter}");
    await press(" ");
    await expect(canvas.getByText("3 of 40 filled in")).toBeVisible();
  },
  '{"field_1":7,"field_10":"yes","field_35":"x"}',
);

export const Recursive = fill(
  "recursive",
  async ({ focus, press, canvas }) => {
    focus("textbox", "Name");
    await press("root{Tab}{Enter}child");
    const child = within(canvas.getByRole("group", { name: "Children 1" }));
    child.getByRole("button", { name: "Add an item" }).focus();
    await press("{Enter}grandchild");
    await expect(canvas.getByText(/It contains itself too many times for a form/)).toBeVisible();
  },
  '{"name":"root","children":[{"name":"child","children":[{"name":"grandchild"}]}]}',
);

export const Conditions = fill(
  "conditions",
  async ({ focus, press, canvas }) => {
    focus("radio", "pickup");
    await press(" ");
    await expect(canvas.queryByRole("textbox", { name: "Address" })).toBeNull();
    await press("{ArrowDown}");
    await expect(canvas.queryByRole("textbox", { name: /^Why/ })).toBeNull();
    focus("textbox", "From");
    await press("Hall{Tab}3");
    focus("textbox", "Address");
    await press("Main Street 1{Tab}For Ada");
  },
  '{"shipping":"delivery","rooms":["Hall",3],"address":"Main Street 1","why":"For Ada"}',
);

export const List = fill(
  "list",
  async ({ focus, press }) => {
    focus("button", "Add an item");
    await press("{Enter}Oban");
    focus("button", "Add another");
    await press("{Enter}Leith");
  },
  '["Oban","Leith"]',
);

export const Text = fill(
  "text",
  async ({ focus, press }) => {
    focus("textbox", "Your name");
    await press("Ada");
  },
  '"Ada"',
);

export const Anything = fill(
  "anything",
  async ({ focus, press }) => {
    focus("textbox", "Answer");
    await press("Whatever it is");
  },
  '"Whatever it is"',
);
