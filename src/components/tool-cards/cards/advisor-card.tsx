"use client";
import { AdvisorResult } from "@/contract/advisor";
import { Check, CircleAlert, CircleSlash, Lightbulb, TriangleAlert } from "lucide-react";
import { BreakableText } from "@/components/ui/breakable-text";
import { Alert } from "@/components/ui/alert";
import { AdvisorText } from "@/components/tool-cards/advisor-text";
import {
  getAdvisorQuestion,
  type AdvisorView,
  toAdvisorView,
} from "@/components/tool-cards/advisor-view";
import { toCardState } from "@/components/tool-cards/card-state";
import { Outcome } from "@/components/tool-cards/outcome";
import { ScrollArea } from "@/components/tool-cards/scroll-area";
import type { Mark } from "@/components/tool-cards/state-mark";
import {
  type OutputCardProps,
  ToolCard,
  type ToolCardProps,
} from "@/components/tool-cards/tool-card";
import { withOutput } from "@/components/tool-cards/with-output";

/** A kind that is missing here shows the state of its call. */
const MARK: Partial<Record<AdvisorView["kind"], Mark>> = {
  consulting: { word: "Consulting", icon: "spinner", tone: "text-accent" },
  advice: { word: "Guidance ready", icon: Check, tone: "text-muted" },
  no_guidance: { word: "No guidance", icon: CircleSlash, tone: "text-muted" },
  limit_reached: { word: "Limit reached", icon: TriangleAlert, tone: "text-warning" },
  failed: { word: "Request failed", icon: CircleAlert, tone: "text-danger" },
};

/** Shows the agent's question and the advisor's answer. It is open, because people read it. */
export const AdvisorCard = ({ part, output, ...rest }: OutputCardProps<AdvisorResult>) => {
  const view = toAdvisorView(part, output);
  const question = getAdvisorQuestion(part);
  const isStreaming = toCardState(part) === "streaming";
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Lightbulb}
      label="Advisor"
      detail={undefined}
      mark={isStreaming ? undefined : MARK[view.kind]}
      defaultOpen
    >
      {isStreaming && question === undefined ? (
        <p className="text-muted">The agent is writing its question…</p>
      ) : (
        <Question text={question} />
      )}
      {!isStreaming && <Body view={view} part={part} />}
      <Footnotes view={view} />
    </ToolCard>
  );
};

export default withOutput(AdvisorResult, AdvisorCard);

const Question = ({ text }: { text: string | undefined }) => (
  <div className="min-w-0">
    <p className="text-xs text-muted">Question</p>
    {text === undefined ? (
      <p className="text-muted italic">The agent asked without a question.</p>
    ) : (
      <LongText label="Question" text={text} />
    )}
  </div>
);

/** Longest text that fits on a phone without scrolling, in characters. */
const LONG_TEXT_LENGTH = 400;

const LongText = ({ label, text }: { label: string; text: string }) => {
  const content = (
    <p className="break-words whitespace-pre-wrap">
      <BreakableText text={text} />
    </p>
  );
  return text.length > LONG_TEXT_LENGTH ? (
    <ScrollArea label={label}>{content}</ScrollArea>
  ) : (
    content
  );
};

const PHASE: ReadonlyMap<string | undefined, string> = new Map([
  ["preparing", "Reading the conversation…"],
  ["thinking", "Thinking…"],
  ["answering", "Answering…"],
]);

const Body = ({ view, part }: { view: AdvisorView } & Pick<ToolCardProps, "part">) => {
  switch (view.kind) {
    case "consulting":
      return (
        <>
          <p className="text-muted">{PHASE.get(view.phase) ?? "Consulting the advisor…"}</p>
          {view.text !== "" && <AdvisorText key="live" text={view.text} isStreaming />}
        </>
      );
    case "advice":
      return <AdvisorText key="advice" text={view.text} isStreaming={false} />;
    case "no_guidance":
      return <p className="text-muted">The advisor answered, and had no guidance to give.</p>;
    case "limit_reached":
      return (
        <Alert tone="warning" announce="status" title="Advisor limit reached">
          The agent has asked as often as it may in one turn, and goes on by itself.
        </Alert>
      );
    case "failed":
      return (
        <Alert tone="danger" announce="alert" title="The advisor could not be asked">
          <LongText
            label="Reason"
            text={view.message ?? "The request failed and gave no reason."}
          />
        </Alert>
      );
    case "cancelled":
      return <p className="text-muted">The request was cancelled before there was advice.</p>;
    case "timed_out":
      return <p className="text-muted">The advisor did not answer in time.</p>;
    case "other":
      return <Outcome part={part} />;
  }
};

const Footnotes = ({ view }: { view: AdvisorView }) => {
  if (!("model" in view) || (view.model === undefined && view.remaining === undefined)) return null;
  return (
    <footer className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {view.model !== undefined && (
        <p className="min-w-0 break-words">Advisor model: {view.model}</p>
      )}
      {view.remaining !== undefined && <p>Remaining uses: {view.remaining}</p>}
    </footer>
  );
};
