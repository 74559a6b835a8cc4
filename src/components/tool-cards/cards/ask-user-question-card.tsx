import { Check, Hand, MessageCircleQuestionMark } from "lucide-react";
import { EMPTY_DRAFT, QuestionDraft } from "@/components/questions/question-answers";
import { QuestionWizard } from "@/components/questions/question-wizard";
import { type Question, AskedQuestions } from "@/contract/questions";
import { toCardState } from "@/components/tool-cards/card-state";
import { Outcome } from "@/components/tool-cards/outcome";
import { ScrollArea } from "@/components/tool-cards/scroll-area";
import type { Mark } from "@/components/tool-cards/state-mark";
import {
  type OutputCardProps,
  type CallPlace,
  ToolCard,
  type ToolCardProps,
} from "@/components/tool-cards/tool-card";
import { BreakableText } from "@/components/ui/breakable-text";
import { withOutput } from "@/components/tool-cards/with-output";

const WAITING: Mark = { word: "Needs you", icon: Hand, tone: "text-warning" };
const ANSWERED: Mark = { word: "Answered", icon: Check, tone: "text-muted" };

/** Asks the agent's questions until a user message follows, and shows that message as the answer. */
export const AskUserQuestionCard = (props: OutputCardProps<AskedQuestions>) => {
  const { part, output, place } = props;
  return (
    <ToolCard
      {...props}
      icon={MessageCircleQuestionMark}
      label={output?.questions.length === 1 ? "Question" : "Questions"}
      detail={undefined}
      mark={output && (place?.reply === undefined ? WAITING : ANSWERED)}
      defaultOpen
    >
      {output ? (
        <Questions questions={output.questions} part={part} place={place} />
      ) : (
        <MissingQuestions part={part} />
      )}
    </ToolCard>
  );
};

export default withOutput(AskedQuestions, AskUserQuestionCard);

const MissingQuestions = ({ part }: Pick<ToolCardProps, "part">) =>
  toCardState(part) === "streaming" ? (
    <p className="text-muted">The agent is writing its questions…</p>
  ) : (
    <Outcome part={part} />
  );

type QuestionsProps = Pick<ToolCardProps, "part"> & {
  questions: readonly Question[];
  place: CallPlace | undefined;
};

const Questions = ({ questions, part, place = {} }: QuestionsProps) => {
  const { reply, onAnswer, questionDrafts: drafts } = place;
  const { tool_call_id: id } = part;
  return reply === undefined && onAnswer ? (
    <QuestionWizard
      questions={questions}
      initialDraft={QuestionDraft.safeParse(drafts?.read(id)).data ?? EMPTY_DRAFT}
      onDraftChange={(draft) => drafts?.write(id, draft)}
      onAnswer={onAnswer}
    />
  ) : (
    <ClosedQuestions questions={questions} reply={reply} />
  );
};

type ClosedQuestionsProps = { questions: readonly Question[]; reply: string | undefined };

const ClosedQuestions = ({ questions, reply }: ClosedQuestionsProps) => (
  <>
    <ul className="flex min-w-0 flex-col gap-2">
      {questions.map(({ question, options }, index) => (
        <li key={index} className="min-w-0 wrap-anywhere">
          <p className="font-medium">{question}</p>
          <p className="text-sm text-muted">{options.map(({ label }) => label).join(" · ")}</p>
        </li>
      ))}
    </ul>
    {reply !== undefined && (
      <div className="min-w-0">
        <p className="text-xs text-muted">Your answer</p>
        <ScrollArea label="Your answer">
          <p className="wrap-anywhere whitespace-pre-wrap">
            <BreakableText text={reply} />
          </p>
        </ScrollArea>
      </div>
    )}
  </>
);
