import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { type LazyPart, lazyParts, usePartReady } from "@/components/ui/lazy-parts";
import { showRules } from "../show-rules";

type NoteProps = { text: string };
const Note = ({ text }: NoteProps) => <p>{text}</p>;

/** @returns a part, and what ends its loading. */
const createPart = () => {
  const { promise, resolve, reject } = Promise.withResolvers<{ default: typeof Note }>();
  const load = () => promise;
  return { part: lazyParts(load, load), end: () => resolve({ default: Note }), fail: reject };
};

type ExampleProps = { part: LazyPart<NoteProps> };

const Example = ({ part: Part }: ExampleProps) => (
  <div className="grid gap-2">
    <Part fallback={<p className="text-muted">Loading…</p>} text="The part." />
  </div>
);

const Waiting = ({ part }: ExampleProps) => (
  <p>{usePartReady(part, true) ? "What follows the part." : "It waits for the part."}</p>
);

const loaded = createPart();
loaded.end();

const meta = {
  component: Example,
  args: { part: createPart().part },
} satisfies Meta<typeof Example>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Loading: Story = {};

/** What was loaded before is shown at once. */
export const Loaded: Story = {
  loaders: [loaded.part.load],
  args: { part: loaded.part },
  play: async ({ canvas }) => {
    await expect(canvas.queryByText("Loading…")).toBeNull();
    await expect(canvas.getByText("The part.")).toBeVisible();
  },
};

const shown = createPart();
export const TestShown: Story = {
  name: "(Test) A part is shown when it is loaded, and what waits for it then",
  args: { part: shown.part },
  render: ({ part }) => (
    <>
      <Example part={part} />
      <Waiting part={part} />
    </>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Loading…")).toBeVisible();
    await expect(canvas.getByText("It waits for the part.")).toBeVisible();
    shown.end();
    await expect(await canvas.findByText("What follows the part.")).toBeVisible();
    await expect(await canvas.findByText("The part.")).toBeVisible();
  },
};

const failed = createPart();
export const TestFailed: Story = {
  name: "(Test) Nothing waits for a part that cannot be loaded",
  args: { part: failed.part },
  render: ({ part }) => <Waiting part={part} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("It waits for the part.")).toBeVisible();
    failed.fail(new Error("The server is away."));
    await expect(await canvas.findByText("What follows the part.")).toBeVisible();
  },
};

export const TestSlow: Story = {
  name: "(Test) Nothing waits long for a part",
  args: { part: createPart().part },
  render: ({ part }) => <Waiting part={part} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("It waits for the part.")).toBeVisible();
    await expect(await canvas.findByText("What follows the part.")).toBeVisible();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Load what is large and rarely needed when it is first shown." }],
    donts: [{ text: "Do not load what the first screen shows: it would move what is below it." }],
  }),
};
