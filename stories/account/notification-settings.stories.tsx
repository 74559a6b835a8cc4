import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import {
  NotificationSettings,
  type NotificationSettingsProps,
} from "@/components/account/notification-settings";
import type { PushSubscription } from "@/contract/push";
import { showStates } from "../show-states";
import { failed, ready, SESSIONS, UNAVAILABLE } from "../settings/fixtures";

const OWN: PushSubscription = {
  id: "0198c0de-0000-7000-8000-00000000000a",
  endpoint: "https://push.example.org/own",
  needs_you: "all",
  done: "own",
  with_text: false,
  user_agent: SESSIONS.CURRENT.user_agent,
  created_at: "2026-02-20T09:00:00.000Z",
};
const PHONE: PushSubscription = {
  ...OWN,
  id: "0198c0de-0000-7000-8000-00000000000b",
  endpoint: "https://push.example.org/phone",
  done: "off",
  with_text: true,
  user_agent: SESSIONS.PHONE.user_agent,
};
const PUBLIC_KEY = "the key of the server";
const list = (...data: PushSubscription[]) => ready({ public_key: PUBLIC_KEY, data });

const args: NotificationSettingsProps = {
  subscriptions: list(OWN, PHONE),
  onReload: fn(),
  support: "ready",
  endpoint: OWN.endpoint,
  origin: "http://192.168.1.20:3000",
  onTurnOn: fn(),
  isTurningOn: false,
  onChange: fn(),
  isChanging: false,
  onRemove: fn(),
  removingId: undefined,
  onTest: fn(),
  isTesting: false,
  testResult: undefined,
  refusal: undefined,
  problem: undefined,
};

const meta = { component: NotificationSettings, args } satisfies Meta<typeof NotificationSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

const off: Partial<NotificationSettingsProps> = { subscriptions: list(), endpoint: undefined };

export const States: Story = showStates(meta, {
  On: {
    play: async ({ canvas }) => {
      const needsYou = canvas.getByRole("radiogroup", { name: "When a chat needs you" });
      await expect(within(needsYou).getByRole("radio", { name: "All chats" })).toBeChecked();
      const others = canvas.getByRole("region", { name: "Other browsers" });
      await expect(others).toHaveTextContent("Chrome on Android");
      await expect(others).toHaveTextContent("With text");
      await expect(others).toHaveTextContent("Done: never");
    },
  },
  Off: {
    args: off,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Turn on notifications" })).toBeEnabled();
      await expect(canvas.queryByRole("region", { name: "Other browsers" })).toBeNull();
    },
  },
  "Off here, on elsewhere": { args: { ...off, subscriptions: list(PHONE) } },
  "Opened by plain http": {
    args: { ...off, support: "insecure" },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Notifications need https")).toBeVisible();
      await expect(canvas.getByText(/opened at http:\/\/192\.168\.1\.20:3000/)).toBeVisible();
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  "On an iPhone, not installed": { args: { ...off, support: "needs-install" } },
  Blocked: { args: { ...off, support: "blocked" } },
  "Without Web Push": { args: { ...off, support: "unsupported" } },
  "Being turned on": { args: { ...off, isTurningOn: true } },
  "Refused by the browser": {
    args: { ...off, refusal: "The browser says: Registration failed - push service error" },
  },
  "A change that failed": { args: { problem: UNAVAILABLE } },
  "A test that was sent": { args: { testResult: { problem: null } } },
  "A test that was not sent": {
    args: { testResult: { problem: "push.example.org answered with the status 403." } },
  },
  "Not known yet": { args: { ...off, support: undefined } },
  Loading: { args: { subscriptions: { state: "loading" } } },
  "Load error": { args: { subscriptions: failed } },
});

export const TestTurnOn: Story = {
  name: "(Test) It is turned on with the key of the server",
  args: off,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Turn on notifications" }));
    await expect(args.onTurnOn).toHaveBeenLastCalledWith(PUBLIC_KEY);
  },
};

export const TestChange: Story = {
  name: "(Test) A choice is passed on with the others",
  play: async ({ args, canvas, userEvent }) => {
    const done = canvas.getByRole("radiogroup", { name: "When an answer is done or has failed" });
    await userEvent.click(within(done).getByRole("radio", { name: "Never" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({
      needs_you: "all",
      done: "off",
      with_text: false,
    });
    await userEvent.click(canvas.getByRole("checkbox", { name: /beginning of the answer/ }));
    await expect(args.onChange).toHaveBeenLastCalledWith({
      needs_you: "all",
      done: "own",
      with_text: true,
    });
  },
};

export const TestRemove: Story = {
  name: "(Test) This browser and others are turned off, and tested, by themselves",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Send a test" }));
    await expect(args.onTest).toHaveBeenLastCalledWith(OWN);
    await userEvent.click(canvas.getByRole("button", { name: "Turn off" }));
    await expect(args.onRemove).toHaveBeenLastCalledWith(OWN);
    await userEvent.click(canvas.getByRole("button", { name: /^Turn off Chrome on Android/ }));
    await expect(args.onRemove).toHaveBeenLastCalledWith(PHONE);
  },
};
