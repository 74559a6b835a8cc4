import type { ReactNode } from "react";
import { NavLink } from "@/components/ui/nav-link";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import { EXAMPLE_PROMPTS, type ExamplePrompt } from "./example-prompts";

type EmptyChatProps = {
  onSelect: (example: ExamplePrompt) => void;
  /** The person has no chat yet: the page explains what Parley is. */
  isFirst: boolean;
  /** Whether the demo model answers, and whether the person may connect another one. */
  demo: DemoNotice;
  onNavigate: (href: string) => void;
  disabled: boolean;
  /** What the person can go on with; it comes before the examples. */
  children?: ReactNode;
};

export type DemoNotice = "none" | "connectable" | "fixed";

const LINK_CLASS = "font-medium text-accent underline underline-offset-2";

/** The heading of a new chat. While the demo model answers, also what Parley is, and example prompts. */
export const EmptyChat = ({ onSelect, isFirst, demo, onNavigate, ...props }: EmptyChatProps) => (
  <div className="flex w-full flex-col gap-6">
    <div className="grid gap-1.5">
      <h1 className="text-2xl font-semibold tracking-tight text-balance">What shall we work on?</h1>
      {isFirst && (
        <p className="text-muted">
          Parley is a chat on your own server, in which a model uses tools and asks you, or your
          programs, for what only you know.
        </p>
      )}
      {demo !== "none" && <DemoNote demo={demo} onNavigate={onNavigate} />}
      {isFirst && (
        <p className="text-muted">
          {demo === "none" ? "Write a message" : "Try an example"}, or write a tool of your own in
          the{" "}
          <NavLink href="/playground" onNavigate={onNavigate} className={LINK_CLASS}>
            playground
          </NavLink>
          .
        </p>
      )}
    </div>
    {props.children}
    {demo !== "none" && <Examples onSelect={onSelect} disabled={props.disabled} />}
  </div>
);

const Examples = ({ onSelect, disabled }: Pick<EmptyChatProps, "onSelect" | "disabled">) => {
  const isHydrated = useIsHydrated();
  return (
    // Before, a click on an example would do nothing.
    <ul inert={!isHydrated} aria-label="Examples" className="grid gap-2 sm:grid-cols-2">
      {EXAMPLE_PROMPTS.map((example) => (
        <li key={example.title} className="min-w-0">
          <ExampleButton example={example} onSelect={onSelect} disabled={disabled} />
        </li>
      ))}
    </ul>
  );
};

const DemoNote = ({ demo, onNavigate }: Pick<EmptyChatProps, "demo" | "onNavigate">) => (
  <p className="text-muted">
    The demo model answers: a script that needs no key.{" "}
    {demo === "connectable" ? (
      <NavLink href="/settings/models" onNavigate={onNavigate} className={LINK_CLASS}>
        Connect a real model
      </NavLink>
    ) : (
      "Only the administrator of this server can connect a real model."
    )}
  </p>
);

type ExampleButtonProps = Pick<EmptyChatProps, "onSelect" | "disabled"> & {
  example: ExamplePrompt;
};

const ExampleButton = ({ example, onSelect, disabled }: ExampleButtonProps) => {
  const { icon: Icon, title, prompt } = example;
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={() => onSelect(example)}
      className="flex h-full w-full min-w-0 items-start gap-3 rounded-lg border bg-raised px-4 py-3 text-left transition-colors hover:border-border-strong hover:bg-surface disabled:cursor-not-allowed disabled:opacity-50"
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0 text-accent" />
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="line-clamp-2 text-xs break-words text-muted">{prompt}</span>
      </span>
    </button>
  );
};
