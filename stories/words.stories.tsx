import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { Check, X } from "lucide-react";
import { expect } from "storybook/test";
import { STATE_NAMES } from "./state-names";

type Rule = {
  rule: string;
  why: string;
  /** As the product says it. */
  good: string;
  bad: string;
};

/** How texts for people read. Those for programs and models are in docs/glossary.md and in the contract. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  "To the person": [
    {
      rule: "Say what to do, to the person who reads it.",
      why: "A rule of the program helps only those who know the program.",
      good: "Enter a version such as v12.",
      bad: "The value must match the pattern ^v[0-9]+$.",
    },
    {
      rule: "Begin with what matters, and stop there.",
      why: "Most people read the first words of a line.",
      good: "Offline. Your change is sent when the server answers.",
      bad: "Please note that it seems that you are currently not connected.",
    },
    {
      rule: "Do not blame, beg or cheer.",
      why: "The page is open all day: politeness wears off, and blame does not.",
      good: "The password is wrong.",
      bad: "Oops! You have entered an invalid password!",
    },
    {
      rule: "Use words that people know from elsewhere.",
      why: "What a thing is called inside the program is of no use to them.",
      good: "The model stopped at its output limit.",
      bad: "finish_reason: length",
    },
  ],
  "What happened": [
    {
      rule: "Say what did not happen, then why, then the way on.",
      why: "People ask in this order.",
      good: "The model was not saved. The server cannot be reached. Check the connection and try again.",
      bad: "Request failed with status code 503",
    },
    {
      rule: "Never call something done that is not.",
      why: "One wrong “done” makes every other one worthless.",
      good: "Nobody knows how it ended: the server stopped meanwhile.",
      bad: "Completed with warnings",
    },
    {
      rule: "Say what stays as it was.",
      why: "After a fault the first question is what was lost.",
      good: "Nothing that was sent is lost.",
      bad: "An unexpected error has occurred.",
    },
    {
      rule: "Where there is nothing, say why and what comes next.",
      why: "An empty page looks like a broken one.",
      good: "You have no API keys. With a key, your programs use Parley as you do.",
      bad: "No data",
    },
  ],
  "Buttons and questions": [
    {
      rule: "Name a button by a verb and its object; one word where the object is in sight.",
      why: "It is read alone, by screen readers and by those in a hurry.",
      good: "Delete chat",
      bad: "OK",
    },
    {
      rule: "End with an ellipsis what asks for more before it acts.",
      why: "So nobody fears to press it.",
      good: "Reject with a reason…",
      bad: "Reject (opens a form)",
    },
    {
      rule: "Ask only before what cannot be undone; name the thing and the loss, and repeat the verb.",
      why: "Questions that come often are answered unread.",
      good: "Revoke “Nightly report”? Programs that use it are refused at once. · Revoke key",
      bad: "Are you sure? · Yes",
    },
    {
      rule: "Name a switch by the thing that it switches.",
      why: "A label with the state in it is wrong half of the time.",
      good: "Notifications",
      bad: "Turn notifications off",
    },
  ],
  "One word for each thing": [
    {
      rule: "Use the word of the glossary, and no other for variety.",
      why: "A second word is taken for a second thing.",
      good: "Chat, model, tool, agent, group",
      bad: "Conversation, engine, function, bot, preset",
    },
    {
      rule: "Use the same word for the same state, in the list, the card and the line.",
      why: "The list below has them, with what they mean.",
      good: "Cancelled",
      bad: "Aborted in one place, stopped by user in another",
    },
    {
      rule: "Leave names as their owner wrote them, in the font of code, and never translate them.",
      why: "They are typed again elsewhere.",
      good: "look_up_order",
      bad: "Look Up Order (function)",
    },
  ],
  "Numbers, times and marks": [
    {
      rule: "Give each number its unit, and each price its currency and what it is of.",
      why: "A bare number is guessed.",
      good: "12.4K of 200K tokens · $0.13 for this chat",
      bad: "12400/200000 · Cost 0.13",
    },
    {
      rule: "Say the time zone once for a form.",
      why: "Next to each field it is noise.",
      good: "Times are in your time zone (Europe/Lisbon).",
      bad: "09:40 (UTC+1), 12:10 (UTC+1)",
    },
    {
      rule: "Write sentences with a full stop, labels and buttons without; capitals only at the start and in names.",
      why: "It shows at once what is a sentence.",
      good: "API keys · Loading chat… · The table is ready.",
      bad: "Api Keys: · LOADING · The table is ready",
    },
    {
      rule: "Never say by color or place alone what matters.",
      why: "Not everyone sees it; screen readers are told states, but not seconds or tokens.",
      good: "Needs you",
      bad: "(a yellow dot)",
    },
  ],
};

const Example = ({ kind, text }: { kind: "good" | "bad"; text: string }) => (
  <p className="flex min-w-0 items-start gap-2">
    {kind === "good" ? (
      <Check role="img" aria-label="Write" size={16} className="mt-0.5 shrink-0 text-success" />
    ) : (
      <X role="img" aria-label="Do not write" size={16} className="mt-0.5 shrink-0 text-danger" />
    )}
    <span className="min-w-0 break-words">{text}</span>
  </p>
);

const WordsPage = () => (
  <main className="mx-auto grid max-w-4xl grid-cols-1 gap-10 px-6 py-10">
    <header className="grid gap-1">
      <h1 className="text-2xl font-semibold tracking-tight">Words</h1>
      <p className="text-muted">
        How the product speaks, with a text to write and one not to write.
      </p>
    </header>
    {Object.entries(RULES).map(([heading, rules]) => (
      <section key={heading} aria-label={heading} className="grid gap-4">
        <h2 className="text-base font-semibold">{heading}</h2>
        <ul className="grid gap-4">
          {rules.map(({ rule, why, good, bad }) => (
            <li key={rule} className="grid min-w-0 gap-x-6 gap-y-2 border-t pt-4 sm:grid-cols-2">
              <div className="min-w-0">
                <h3 className="font-medium">{rule}</h3>
                <p className="text-note text-muted">{why}</p>
              </div>
              <div className="grid min-w-0 content-start gap-1.5">
                <Example kind="good" text={good} />
                <Example kind="bad" text={bad} />
              </div>
            </li>
          ))}
        </ul>
      </section>
    ))}
    <section aria-label="Names of states" className="grid gap-4">
      <h2 className="text-base font-semibold">Names of states</h2>
      <p className="text-muted">
        As the stories are named. A test fails for another name of the same state.
      </p>
      <table className="text-left">
        <thead className="text-xs text-muted">
          <tr>
            <th className="pb-2 font-medium">Name</th>
            <th className="pb-2 font-medium">What it shows</th>
            <th className="pb-2 font-medium max-sm:hidden">Not</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(STATE_NAMES).map(([name, { shows, insteadOf = [] }]) => (
            <tr key={name} className="border-t align-top">
              <th scope="row" className="py-1.5 pr-4 font-medium">
                {name}
              </th>
              <td className="py-1.5 pr-4">{shows}</td>
              <td className="py-1.5 text-muted max-sm:hidden">{insteadOf.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </main>
);

const meta = {
  component: WordsPage,
  parameters: { layout: "fullscreen" },
  tags: ["!autodocs"],
} satisfies Meta<typeof WordsPage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Words: Story = {
  play: async ({ canvas }) => {
    const rules = Object.values(RULES).flat();
    await expect(canvas.getAllByRole("img", { name: "Write" })).toHaveLength(rules.length);
    await expect(canvas.getByRole("rowheader", { name: "Needs you" })).toBeVisible();
  },
};
