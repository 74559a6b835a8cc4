import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import { SessionList } from "@/components/account/session-list";
import type { AccountSession } from "@/contract/account";
import { showStates } from "../show-states";
import { failed, NOW, ready, SESSIONS, UNAVAILABLE } from "../settings/fixtures";

const { CURRENT, PHONE, UNKNOWN } = SESSIONS;

const meta = {
  component: SessionList,
  args: {
    sessions: ready([PHONE, CURRENT, UNKNOWN]),
    onReload: fn(),
    onEnd: fn(),
    endingIds: [],
    isEnded: false,
    problem: undefined,
    now: NOW,
  },
} satisfies Meta<typeof SessionList>;
export default meta;
type Story = StoryObj<typeof meta>;
type Context = Parameters<NonNullable<Story["play"]>>[0];

const endOthers = async ({ canvas, userEvent }: Context): Promise<void> => {
  await userEvent.click(canvas.getByRole("button", { name: "Sign out all others" }));
  const dialog = await screen.findByRole("alertdialog", {
    name: "Sign out all other browsers?",
  });
  await userEvent.click(within(dialog).getByRole("button", { name: "Sign out all others" }));
};

export const States: Story = showStates(meta, {
  Many: {
    play: async ({ canvas }) => {
      const [current, phone, unknown] = canvas.getAllByRole("listitem");
      if (!current || !phone || !unknown) throw new Error("a row is missing");
      await expect(current).toHaveTextContent("Chrome on Linux");
      await expect(current).toHaveTextContent("This browser");
      await expect(current).toHaveTextContent("Active now");
      await expect(within(current).queryByRole("button")).toBeNull();
      await expect(phone).toHaveTextContent("Chrome on Android");
      await expect(phone).toHaveTextContent("Active in the last 2 days");
      await expect(phone).toHaveTextContent("Signed in 20 Feb 2026");
      await expect(unknown).toHaveTextContent("Unknown browser");
      await expect(unknown).toHaveTextContent("Active around 10 Feb 2026");
    },
  },
  "Only this browser": {
    args: { sessions: ready([CURRENT]) },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("listitem")).toHaveLength(1);
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  Loading: {
    args: { sessions: { state: "loading" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Loading sessions…")).toBeVisible();
    },
  },
  "Ending others": {
    args: { endingIds: [PHONE.id, UNKNOWN.id] },
    play: async ({ canvas }) => {
      for (const button of canvas.getAllByRole("button")) {
        await expect(button).toHaveAttribute("aria-busy", "true");
      }
    },
  },
});

export const LoadError: Story = {
  args: { sessions: failed },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledOnce();
  },
};

export const EndingOne: Story = {
  args: { endingIds: [PHONE.id] },
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole("button", { name: "Sign out Chrome on Android" });
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect(canvas.getByRole("button", { name: "Sign out all others" })).not.toHaveAttribute(
      "aria-busy",
    );
    await userEvent.click(button);
    await expect(args.onEnd).not.toHaveBeenCalled();
  },
};

export const EndError: Story = {
  args: { problem: UNAVAILABLE },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Sign out Chrome on Android" }));
    await expect(canvas.getByRole("alert")).toHaveTextContent("Not signed out: Chrome on Android");
    await expect(canvas.getByRole("alert")).toHaveTextContent("The server is restarting.");
  },
};

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Dark: Story = {
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <SessionList {...args} />
    </div>
  ),
};

/** Ends sessions at once, as the server does. */
const WithServer = (args: ComponentProps<typeof SessionList>) => {
  const [sessions, setSessions] = useState<AccountSession[]>([CURRENT, PHONE, UNKNOWN]);
  const [isEnded, setEnded] = useState(false);
  return (
    <SessionList
      {...args}
      sessions={ready(sessions)}
      onEnd={(ids) => {
        setSessions(sessions.filter(({ id }) => !ids.includes(id)));
        setEnded(true);
      }}
      isEnded={isEnded}
    />
  );
};

export const TestEndOne: Story = {
  name: "(Test) A signed-out browser disappears, which is announced; the focus stays",
  render: (args) => <WithServer {...args} />,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
    await userEvent.click(canvas.getByRole("button", { name: "Sign out Chrome on Android" }));
    await expect(canvas.getByRole("status")).toHaveTextContent("Signed out: Chrome on Android.");
    await expect(canvas.getAllByRole("listitem")).toHaveLength(2);
    await waitFor(() =>
      expect(canvas.getByRole("heading", { name: "Where you are signed in" })).toHaveFocus(),
    );
  },
};

export const TestEndOthers: Story = {
  name: "(Test) All other browsers are signed out after a confirmation",
  render: (args) => <WithServer {...args} />,
  play: async (context) => {
    const { canvas } = context;
    await endOthers(context);
    await expect(canvas.getAllByRole("listitem")).toHaveLength(1);
    await expect(canvas.getByRole("listitem")).toHaveTextContent("This browser");
    await expect(canvas.getByRole("status")).toHaveTextContent("Signed out: all other browsers.");
    await waitFor(() =>
      expect(canvas.getByRole("heading", { name: "Where you are signed in" })).toHaveFocus(),
    );
  },
};

export const TestIds: Story = {
  name: "(Test) Only the sessions that should end are passed on",
  play: async (context) => {
    const { args, canvas, userEvent } = context;
    await userEvent.click(canvas.getByRole("button", { name: "Sign out Unknown browser" }));
    await expect(args.onEnd).toHaveBeenLastCalledWith([UNKNOWN.id]);
    await endOthers(context);
    await expect(args.onEnd).toHaveBeenLastCalledWith([PHONE.id, UNKNOWN.id]);
  },
};
