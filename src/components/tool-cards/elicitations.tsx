import { BreakableText } from "@/components/ui/breakable-text";
import type { AnsweredElicitation } from "@/contract/elicitation";
import { formatJson } from "./format-json";
import { TextBlock } from "./text-block";

type ElicitationsProps = {
  elicitations: readonly AnsweredElicitation[];
  /** Whether the last one waits for an answer. */
  isOpen: boolean;
};

/** The questions that a tool's server asked during a call, with their answers. */
export const Elicitations = ({ elicitations, isOpen }: ElicitationsProps) =>
  elicitations.map((elicitation, index) => (
    <section key={index} className="grid min-w-0 gap-1.5">
      <p className="text-sm wrap-anywhere whitespace-pre-line">
        <BreakableText text={elicitation.message} />
      </p>
      <Answer
        elicitation={elicitation}
        number={elicitations.length > 1 ? index + 1 : undefined}
        isOpen={isOpen && index === elicitations.length - 1}
      />
    </section>
  ));

type AnswerProps = {
  elicitation: AnsweredElicitation;
  /** Undefined for the only one. */
  number: number | undefined;
  isOpen: boolean;
};

const Answer = ({ elicitation: { answer }, number, isOpen }: AnswerProps) => {
  if (answer?.action === "accept") {
    const label = number === undefined ? "Answer" : `Answer ${number}`;
    return <TextBlock label={label} text={formatJson(answer.content)} fileName="answer.json" />;
  }
  const state = answer ? STATE[answer.action] : isOpen ? "Waits for an answer." : "Not answered.";
  return <p className="text-note text-muted">{state}</p>;
};

const STATE = { decline: "Declined.", cancel: "Cancelled." };
