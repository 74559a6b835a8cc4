import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { FailureAlert } from "@/components/ui/failure-alert";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { ToolCode } from "./tool-code";
import type { ToolDraft, ToolErrors, ToolTrial } from "./tool-draft";
import { ToolForm } from "./tool-form";
import { ToolPreview } from "./tool-preview";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "code", label: "Code" },
] as const;
type View = (typeof VIEWS)[number]["value"];

type PlaygroundProps = {
  draft: ToolDraft;
  onChange: (draft: ToolDraft) => void;
  /** Undefined while a field is at fault. */
  trial: ToolTrial | undefined;
  errors: ToolErrors;
  onStart: () => void;
  isStarting: boolean;
  /** Why the chat was not started, if no field is at fault. */
  failure: string | undefined;
  modelPicker: ReactNode;
  /** What keeps the tool for other chats, for those who may. */
  keepButton: ReactNode;
  /** The address of this server. */
  origin: string;
  onNavigate: (href: string) => void;
};

/** A tool at the left, its form or its code at the right, and below both what starts a chat with it. */
export const Playground = (props: PlaygroundProps) => {
  const { draft, onChange, trial, errors, onStart, isStarting, failure, origin } = props;
  const id = useId();
  const [view, setView] = useState<View>("form");
  return (
    <div className="flex min-h-0 flex-1 flex-col short:flex-none">
      <div className="grid min-h-0 flex-1 grid-cols-1 overflow-y-auto lg:grid-cols-2 lg:overflow-hidden short:flex-none short:overflow-visible">
        <div className={PANE_CLASS}>
          <p className="mb-4 max-w-2xl text-muted">
            Write a tool, let the model call it, and answer the call yourself. In your programs the
            same takes three requests.
          </p>
          <ToolForm
            id={id}
            draft={draft}
            onChange={onChange}
            errors={errors}
            onStart={onStart}
            isStarting={isStarting}
          />
        </div>
        <div className={`${PANE_CLASS} border-t bg-surface lg:border-t-0 lg:border-l`}>
          <div className="mb-4 flex items-center justify-between gap-3">
            <h2 className="text-base font-semibold">{VIEW_TITLE[view]}</h2>
            <SegmentedControl
              label="View"
              options={VIEWS}
              value={view}
              onChange={setView}
              disabled={false}
            />
          </div>
          {view === "form" ? (
            <ToolPreview
              tool={trial?.tool}
              answer={draft.answer}
              onAnswer={(answer) => onChange({ ...draft, answer })}
            />
          ) : (
            <ToolCode trial={trial} origin={origin} onNavigate={props.onNavigate} />
          )}
        </div>
      </div>
      <footer className="grid shrink-0 gap-3 border-t bg-bg px-4 py-3">
        <FailureAlert title="The chat was not started" detail={failure} />
        <div className="flex min-w-0 flex-wrap items-center justify-end gap-3">
          {props.keepButton}
          <div className="flex min-w-0 items-center gap-3">
            {props.modelPicker}
            <Button form={id} type="submit" variant="primary" isBusy={isStarting}>
              Start a chat with it
            </Button>
          </div>
        </div>
      </footer>
    </div>
  );
};

const VIEW_TITLE: Record<View, string> = { form: "The form in the chat", code: "The same in code" };

/** On wide screens, each side scrolls by itself. */
const PANE_CLASS = "min-w-0 px-4 py-6 lg:overflow-y-auto lg:px-6 short:overflow-visible";
