import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, screen } from "storybook/test";
import { GroupsSettings } from "@/components/settings/groups-settings";
import type { GroupsConfig } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "./fixtures";
import { PLAN, REVIEW, TOOLS } from "./group-fixtures";

const meta = {
  component: GroupsSettings,
  args: {
    list: ready({ groups: [REVIEW, PLAN], version: 3 }),
    onReload: fn(),
    tools: ready(TOOLS),
    onReloadTools: fn(),
    onSave: fn(),
    isSaving: false,
    saveProblem: undefined,
    onCloseForm: fn(),
    onRemove: fn(),
    changeProblem: undefined,
  },
} satisfies Meta<typeof GroupsSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Many: {},
  Empty: { args: { list: ready({ groups: [], version: 0 }) } },
  Loading: { args: { list: { state: "loading" } } },
  "Load error": { args: { list: failed } },
  "Saving: no row can be changed": {
    args: { isSaving: true },
    play: async ({ canvas }) => {
      for (const name of ["Edit review", "Delete plan"]) {
        await expect(canvas.getByRole("button", { name })).toBeDisabled();
      }
    },
  },
  "A tool that is gone is named": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/does not have these tools any more: lint\./)).toBeVisible();
    },
  },
  "With tools of its own": {
    args: {
      list: ready({ groups: [{ ...REVIEW, dynamic_tools: [{ name: "ask_age" }] }], version: 1 }),
    },
  },
  "Change error": { args: { changeProblem: UNAVAILABLE } },
});

export const TestAdd: Story = {
  name: "(Test) A new group has a name of its own, and is saved behind the others",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add group" }));
    await screen.findByRole("form");
    const name = screen.getByRole("textbox", { name: "Name" });
    for (const [text, error] of [
      ["plan", "There is a group with this name already."],
      ["to do", "Enter a name of letters, digits, - and _, such as review."],
    ] as const) {
      await userEvent.clear(name);
      await userEvent.type(name, `${text}{Enter}`);
      await expect(screen.getByText(error)).toBeVisible();
    }
    await expect(args.onSave).not.toHaveBeenCalled();
    await userEvent.clear(name);
    await userEvent.type(name, "write");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      { groups: [REVIEW, PLAN, { ...PLAN, name: "write" }], version: 3 },
      expect.any(Function),
    );
  },
};

export const TestEdit: Story = {
  name: "(Test) A group is changed in its place, and deleted from among the others",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit review" }));
    await screen.findByRole("form");
    await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "!");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      { groups: [{ ...REVIEW, description: `${REVIEW.description}!` }, PLAN], version: 3 },
      expect.any(Function),
    );
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    await userEvent.click(await canvas.findByRole("button", { name: "Delete plan" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete group" }));
    await expect(args.onRemove).toHaveBeenCalledWith({ groups: [REVIEW], version: 3 });
  },
};

const TOOL = { name: "approve_refund", description: "Asks for a refund" };
const REFUNDS = { ...PLAN, name: "refunds", dynamic_tools: [TOOL, { name: "ask_age" }] };

export const TestOwnTools: Story = {
  name: "(Test) A group names the tools that it brings, and loses one that is removed",
  args: { list: ready({ groups: [REVIEW, REFUNDS], version: 3 }) },
  play: async ({ args, canvas, userEvent }) => {
    await expect(
      canvas.getByText("Brings 2 tools of its own: approve_refund, ask_age"),
    ).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Edit refunds" }));
    await screen.findByRole("form");
    await userEvent.click(screen.getByRole("button", { name: "Remove approve_refund" }));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const left = { ...REFUNDS, dynamic_tools: [{ name: "ask_age" }] };
    await expect(args.onSave).toHaveBeenCalledWith(
      { groups: [REVIEW, left], version: 3 },
      expect.any(Function),
    );
    await userEvent.click(screen.getByRole("button", { name: "Remove ask_age" }));
    await expect(screen.getByText(/“Keep as a group” in the playground adds one/)).toBeVisible();
  },
};

const CHANGED: Problem = {
  ...UNAVAILABLE,
  status: 409,
  code: "conflict",
  detail:
    "Somebody else has changed the groups, so nothing was saved. Try again to apply your change to the new groups.",
};
const REFUSED: Problem = { ...CHANGED, status: 400, code: "invalid", detail: "It was refused." };

/** What others make of the groups while a form is open, and what the server says of a change then. */
const NEWEST: GroupsConfig = { groups: [REVIEW, { ...PLAN, prompt: "Plan." }], version: 4 };
const WITHOUT_REVIEW: GroupsConfig = { groups: [PLAN], version: 5 };
const OTHERS = {
  "Others save": { list: ready(NEWEST) },
  Refuse: { list: ready(NEWEST), saveProblem: CHANGED },
  "Refuse again": { list: ready(NEWEST), saveProblem: REFUSED },
  "Others delete": { list: ready(WITHOUT_REVIEW), saveProblem: CHANGED },
};

const WithOthers = (props: ComponentProps<typeof GroupsSettings>) => {
  const [state, setState] = useState({});
  return (
    <>
      {Object.entries(OTHERS).map(([name, next]) => (
        <button key={name} onClick={() => setState(next)}>
          {name}
        </button>
      ))}
      <GroupsSettings {...props} {...state} />
    </>
  );
};

export const TestEarly: Story = {
  name: "(Test) A form that was opened while the list was loaded is no conflict with it",
  args: { list: { state: "loading" } },
  render: (args) => <WithOthers {...args} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add group" }));
    canvas.getByText("Others save").click();
    await screen.findByRole("form");
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "write");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await expect(args.onSave).toHaveBeenCalledWith(
      { groups: [...NEWEST.groups, { ...PLAN, name: "write" }], version: 4 },
      expect.any(Function),
    );
  },
};

export const TestTogether: Story = {
  name: "(Test) What somebody else has changed is saved over only by who knows of it",
  render: (args) => <WithOthers {...args} />,
  play: async ({ args, canvas, userEvent }) => {
    const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
    /** What others do is not hindered by the drawer, which covers the page. */
    const change = (name: keyof typeof OTHERS) => canvas.getByText(name).click();
    await press("Edit review");
    await screen.findByRole("form");
    await userEvent.type(screen.getByRole("textbox", { name: "Description" }), "!");
    change("Others save");
    await press("Save");
    const onSaved: unknown = expect.any(Function);
    await expect(args.onSave).toHaveBeenLastCalledWith(
      expect.objectContaining({ version: 3 }),
      onSaved,
    );
    change("Refuse");
    await expect(await screen.findByRole("alert")).toHaveTextContent(/nothing was saved/);
    await press("Save");
    const saved = { ...REVIEW, description: `${REVIEW.description}!` };
    const groups = [saved, NEWEST.groups[1]];
    await expect(args.onSave).toHaveBeenLastCalledWith({ groups, version: 4 }, onSaved);
    // What has been seen is not a conflict again after another refusal.
    change("Refuse again");
    await expect(await screen.findByRole("alert")).toHaveTextContent(REFUSED.detail);
    await press("Save");
    await expect(args.onSave).toHaveBeenLastCalledWith({ groups, version: 4 }, onSaved);
    change("Others delete");
    await expect(await screen.findByText("The group is not there any more")).toBeVisible();
  },
};
