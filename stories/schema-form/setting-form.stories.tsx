import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import * as z from "zod";
import { SettingForm } from "@/components/schema-form/setting-form";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "../settings/fixtures";

const Harbor = z.strictObject({
  name: z.string().min(1, "must have a name"),
  berths: z.int().min(1).nullable().default(null),
  open: z.boolean().default(true),
  kind: z.enum(["sea", "river"]).default("sea"),
  notes: z.string().default(""),
  key: z.string().optional(),
  limits: z.strictObject({ depth: z.int().optional(), width: z.int().optional() }).default({}),
});
type Harbor = z.infer<typeof Harbor>;

const OBAN: Harbor = { name: "Oban", berths: 12, open: true, kind: "sea", notes: "", limits: {} };

const meta = {
  component: SettingForm<Harbor>,
  args: {
    schema: Harbor,
    stored: OBAN,
    label: "Edit Oban",
    problemTitle: "The harbor was not saved",
    isBusy: false,
    problem: undefined,
    onSubmit: fn(),
    onCancel: fn(),
    parts: (get) => [
      { path: "name", label: "Name", hint: "As on the chart.", control: "code" },
      { path: "open", label: "Open to visitors", control: "switch" },
      ...(get("open") === true
        ? [{ path: "berths", label: "Berths", error: "Enter a number of berths, or nothing." }]
        : [{ note: "A closed harbor has no berths." }]),
      { path: "kind", label: "Kind", names: { sea: "On the sea", river: "On a river" } },
      { path: "notes", label: "Notes", control: "lines" },
      { path: "key", label: "Key", hint: "Never shown again.", control: "secret" },
      {
        section: "Limits",
        note: "Of ships.",
        fields: [
          {
            row: [
              { path: "limits/depth", label: "Depth" },
              { path: "limits/width", label: "Width" },
            ],
          },
        ],
      },
    ],
  },
} satisfies Meta<typeof SettingForm<Harbor>>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: {},
  Saving: { args: { isBusy: true } },
  Failed: { args: { problem: UNAVAILABLE } },
  "With error: a refused field of a section is visible": {
    args: { problem: invalid("/limits/depth", "is too deep") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Depth" })).toBeVisible();
      await expect(canvas.getByRole("textbox", { name: "Depth" })).toHaveAccessibleDescription(
        "Is too deep.",
      );
    },
  },
  "Failed: an error of no field is the text of the problem": {
    args: { problem: invalid("", "must be one of few harbors") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Must be one of few harbors.")).toBeVisible();
    },
  },
});

export const TestStaying: Story = {
  name: "(Test) A form that stays has nothing to save until something is changed",
  render: ({ onCancel, label, ...args }) => {
    void [onCancel, label];
    return <SettingForm {...args} isSaved />;
  },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.queryByRole("button", { name: "Cancel" })).toBeNull();
    await expect(canvas.getByRole("button", { name: "Save" })).toBeDisabled();
    await expect(canvas.getByRole("status")).toHaveTextContent("Saved");
    await userEvent.type(canvas.getByRole("textbox", { name: "Notes" }), "Busy");
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({ ...OBAN, notes: "Busy" });
  },
};

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestSubmit: Story = {
  name: "(Test) What is sent has the types of the contract",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole("textbox", { name: "Name" });
    await userEvent.clear(name);
    await userEvent.type(name, " Leith ");
    await userEvent.clear(canvas.getByRole("textbox", { name: "Berths" }));
    await userEvent.selectOptions(canvas.getByRole("combobox", { name: "Kind" }), "On a river");
    await userEvent.type(canvas.getByLabelText("Key"), "k1");
    await userEvent.click(canvas.getByText("Limits"));
    await userEvent.type(canvas.getByRole("textbox", { name: "Depth" }), "7{Enter}");
    await expect(args.onSubmit).toHaveBeenCalledOnce();
    await expect(args.onSubmit).toHaveBeenCalledWith({
      ...OBAN,
      name: "Leith",
      berths: null,
      kind: "river",
      key: "k1",
      limits: { depth: 7 },
    });
  },
};

export const TestErrors: Story = {
  name: "(Test) A refused value is explained from the first attempt on, and gets the focus",
  play: async ({ args, canvas, userEvent }) => {
    const berths = canvas.getByRole("textbox", { name: "Berths" });
    await userEvent.clear(berths);
    await userEvent.type(berths, "many");
    await expect(berths).toBeValid();
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(berths).toHaveFocus();
    await expect(berths).toHaveAccessibleDescription("Enter a number of berths, or nothing.");
    await userEvent.clear(berths);
    await expect(berths).toBeValid();
    await userEvent.clear(canvas.getByRole("textbox", { name: "Name" }));
    await expect(canvas.getByText("Must have a name.")).toBeVisible();
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestClosed: Story = {
  name: "(Test) Each attempt opens the section of the refused field, also one that was closed again",
  play: async ({ args, canvas, userEvent }) => {
    const limits = canvas.getByText("Limits");
    await userEvent.click(limits);
    const depth = canvas.getByRole("textbox", { name: "Depth" });
    await userEvent.type(depth, "deep");
    for (let attempt = 1; attempt <= 2; attempt++) {
      await userEvent.click(limits);
      await expect(depth).not.toBeVisible();
      await userEvent.click(canvas.getByRole("button", { name: "Save" }));
      await expect(depth).toBeVisible();
      await expect(depth).toHaveFocus();
    }
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

const WITH_UNKNOWN = Harbor.extend({ tide: z.int() });

export const TestNoField: Story = {
  name: "(Test) An error of no field is said at the top of the form, and the form is not sent",
  args: { schema: WITH_UNKNOWN, stored: { ...OBAN, tide: "high" } },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), " 2");
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(canvas.getByRole("alert")).toHaveTextContent("Must be a number.");
    await expect(args.onSubmit).not.toHaveBeenCalled();
  },
};

export const TestHidden: Story = {
  name: "(Test) A field that is not shown is sent as it is stored",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Berths" }), "x");
    await userEvent.click(canvas.getByRole("switch", { name: "Open to visitors" }));
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenCalledWith({ ...OBAN, open: false });
  },
};

const WithOthers = (args: ComponentProps<typeof SettingForm<Harbor>>) => {
  const [stored, setStored] = useState<object>(OBAN);
  return (
    <>
      <SettingForm {...args} stored={stored} />
      <button type="button" onClick={() => setStored({ ...OBAN, name: "Leith", notes: "Busy" })}>
        Change elsewhere
      </button>
    </>
  );
};

export const TestOthers: Story = {
  name: "(Test) What was entered is kept when others change what is stored",
  render: (args) => <WithOthers {...args} />,
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Name" }), " 2");
    await userEvent.click(canvas.getByRole("button", { name: "Change elsewhere" }));
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveValue("Oban 2");
    await expect(canvas.getByRole("textbox", { name: "Notes" })).toHaveValue("Busy");
  },
};
