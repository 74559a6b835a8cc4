import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import { ApiKeysSettings } from "@/components/account/api-keys-settings";
import type { ApiKey, NewApiKey } from "@/contract/api-key";
import { showStates } from "../show-states";
import { CREATED_KEY, failed, invalid, KEYS, NOW, ready, UNAVAILABLE } from "../settings/fixtures";

const ALL_KEYS = Object.values(KEYS);

const meta = {
  component: ApiKeysSettings,
  args: {
    keys: ready(ALL_KEYS),
    onReload: fn(),
    onCreate: fn(),
    isCreating: false,
    createProblem: undefined,
    createdKey: undefined,
    onClosePanel: fn(),
    onRevoke: fn(),
    revokingId: undefined,
    isRevoked: false,
    revokeProblem: undefined,
    origin: "http://127.0.0.1:3000",
    onNavigate: fn(),
    now: NOW,
  },
} satisfies Meta<typeof ApiKeysSettings>;
export default meta;
type Story = StoryObj<typeof meta>;
type Play = NonNullable<Story["play"]>;
type Context = Parameters<Play>[0];

const openForm: Play = async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "New key" }));
};
const revoke = async ({ canvas, userEvent }: Context, name: string): Promise<void> => {
  await userEvent.click(canvas.getByRole("button", { name: `Revoke ${name}` }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke key" }));
};

export const States: Story = showStates(meta, {
  Many: {
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("listitem")).toHaveLength(ALL_KEYS.length);
      await expect(canvas.queryByText("You have no API keys")).toBeNull();
    },
  },
  Loading: {
    args: { keys: { state: "loading" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Loading API keys…")).toBeVisible();
      await expect(canvas.getByRole("button", { name: "New key" })).toBeEnabled();
    },
  },
  "Revoking: only the key that is being revoked is busy": {
    args: { revokingId: KEYS.KEY.id },
    play: async ({ canvas }) => {
      for (const row of canvas.getAllByRole("listitem")) {
        const button = within(row).getByRole("button");
        const isBusy = row.textContent.includes("Nightly report");
        await expect(button.hasAttribute("aria-busy")).toBe(isBusy);
      }
    },
  },
});

export const Empty: Story = {
  args: { keys: ready([]) },
  play: async (context) => {
    const { canvas } = context;
    await expect(canvas.getByText("You have no API keys")).toBeVisible();
    await openForm(context);
    await expect(await screen.findByRole("form", { name: "New API key" })).toBeVisible();
  },
};

export const LoadError: Story = {
  args: { keys: failed },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledOnce();
  },
};

export const FormOpen: Story = { play: openForm };

export const Creating: Story = {
  args: { isCreating: true },
  play: async (context) => {
    await openForm(context);
    await expect(await screen.findByRole("button", { name: "Create key" })).toHaveAttribute(
      "aria-busy",
      "true",
    );
  },
};

export const CreateError: Story = {
  args: { createProblem: invalid("/name", "must be at most 100 characters long") },
  play: async (context) => {
    await openForm(context);
    await expect(await screen.findByRole("textbox", { name: "Name" })).toBeInvalid();
    await expect(screen.getByText("The key was not created")).toBeVisible();
  },
};

export const Created: Story = {
  args: { createdKey: CREATED_KEY },
  play: async (context) => {
    await expect(context.canvas.getByText(CREATED_KEY.key)).toBeVisible();
  },
};

export const RevokeError: Story = {
  args: { revokeProblem: UNAVAILABLE },
  play: async (context) => {
    await revoke(context, "Nightly report");
    const alert = context.canvas.getByRole("alert");
    await expect(alert).toHaveTextContent("“Nightly report” was not revoked");
    await expect(alert).toHaveTextContent("The server is restarting.");
  },
};

export const Narrow: Story = {
  ...Created,
  globals: { viewport: { value: "mobile1" } },
  play: async (context) => {
    await expect(context.canvasElement.scrollWidth).toBeLessThanOrEqual(
      context.canvasElement.clientWidth,
    );
  },
};

export const Dark: Story = {
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <ApiKeysSettings {...args} />
    </div>
  ),
};

/** Creates and revokes keys, as the server does. */
const WithServer = (args: ComponentProps<typeof ApiKeysSettings>) => {
  const [keys, setKeys] = useState<ApiKey[]>([KEYS.KEY]);
  const [createdKey, setCreatedKey] = useState<NewApiKey>();
  const [isRevoked, setRevoked] = useState(false);
  return (
    <ApiKeysSettings
      {...args}
      keys={ready(keys)}
      onCreate={({ name }) => {
        const created = { ...CREATED_KEY, id: KEYS.NEVER_USED.id, name };
        setKeys([created, ...keys]);
        setCreatedKey(created);
      }}
      createdKey={createdKey}
      onClosePanel={() => setCreatedKey(undefined)}
      onRevoke={(id) => {
        setKeys(keys.filter((key) => key.id !== id));
        setRevoked(true);
      }}
      isRevoked={isRevoked}
    />
  );
};

export const TestCreate: Story = {
  name: "(Test) A new key is shown once, and the focus stays in the section",
  render: (args) => <WithServer {...args} />,
  play: async (context) => {
    const { canvas, userEvent } = context;
    await openForm(context);
    await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), "Build{Enter}");
    await waitFor(() =>
      expect(canvas.getByRole("group", { name: /“Build” is ready/ })).toHaveFocus(),
    );
    await expect(canvas.getAllByRole("listitem")).toHaveLength(2);
    await userEvent.click(canvas.getByRole("button", { name: "Done" }));
    await expect(canvas.queryByText(CREATED_KEY.key)).toBeNull();
    await waitFor(() => expect(canvas.getByRole("heading", { name: "API keys" })).toHaveFocus());
    await openForm(context);
    await expect(await screen.findByRole("textbox", { name: "Name" })).toHaveValue("");
  },
};

export const TestCancel: Story = {
  name: "(Test) Cancel closes the form, and its button has the focus again",
  play: async (context) => {
    const { args, canvas, userEvent } = context;
    await openForm(context);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(canvas.getByRole("button", { name: "New key" })).toHaveFocus());
    await expect(screen.queryByRole("form")).toBeNull();
    await expect(args.onClosePanel).toHaveBeenCalledOnce();
  },
};

export const TestRevoke: Story = {
  name: "(Test) A revoked key disappears, which is announced",
  render: (args) => <WithServer {...args} />,
  play: async (context) => {
    const { canvas } = context;
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
    await revoke(context, "Nightly report");
    await expect(canvas.getByRole("status")).toHaveTextContent("“Nightly report” is revoked.");
    await expect(canvas.getByText("You have no API keys")).toBeVisible();
    await waitFor(() => expect(canvas.getByRole("heading", { name: "API keys" })).toHaveFocus());
  },
};

export const TestRevokeOne: Story = {
  name: "(Test) The key of the row is revoked",
  play: async (context) => {
    await revoke(context, "Dashboard");
    await expect(context.args.onRevoke).toHaveBeenCalledOnce();
    await expect(context.args.onRevoke).toHaveBeenCalledWith(KEYS.NEVER_USED.id);
  },
};
