"use client";
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { TextArea } from "@/components/ui/text-area";
import { readEnter } from "@/components/ui/text-focus";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import type { Question } from "@/contract/questions";
import { FieldGroup } from "@/components/schema-form/field-group";
import { focusFirstControl } from "@/components/ui/form-item-focus";
import {
  EMPTY_ANSWER,
  EMPTY_DRAFT,
  findAnswerProblem,
  type QuestionAnswer,
  type QuestionDraft,
  toAnswerMessage,
} from "./question-answers";
import { RadioGroup } from "@/components/ui/radio-group";

type QuestionWizardProps = {
  questions: readonly Question[];
  /** What the wizard begins with. */
  initialDraft: QuestionDraft;
  onDraftChange: (draft: QuestionDraft) => void;
  /** Gets the text of the user message that answers all questions. */
  onAnswer: (text: string) => void;
};

/** Asks questions one after another, and sends the answers as one message. */
export const QuestionWizard = (props: QuestionWizardProps) => {
  const { questions, initialDraft, onDraftChange, onAnswer } = props;
  const [draft, setDraft] = useState(questions[initialDraft.step] ? initialDraft : EMPTY_DRAFT);
  const { step, answers } = draft;
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const isHydrated = useIsHydrated();
  const question = questions[step];
  if (!question) return null;
  const answer = answers[step] ?? EMPTY_ANSWER;
  const isLast = step === questions.length - 1;
  const changeDraft = (changes: Partial<QuestionDraft>): void => {
    setDraft({ ...draft, ...changes });
    onDraftChange({ ...draft, ...changes });
  };
  const goTo = (next: number): void => {
    flushSync(() => changeDraft({ step: next }));
    focusFirstControl(form.current);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = findAnswerProblem(answer);
    setProblem(found);
    if (found !== undefined) return;
    if (isLast) onAnswer(toAnswerMessage(questions, answers));
    else goTo(step + 1);
  };
  const change = (changes: Partial<QuestionAnswer>): void => {
    setProblem(undefined);
    changeDraft({
      answers: questions.map((_, index) => ({
        ...(answers[index] ?? EMPTY_ANSWER),
        ...(index === step && changes),
      })),
    });
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      // A choice that React has not seen would look chosen, but another one would be sent.
      inert={!isHydrated}
      className="flex min-w-0 flex-col gap-3"
      noValidate
    >
      {questions.length > 1 && (
        <p className="text-xs text-muted" aria-live="polite">
          Question {step + 1} of {questions.length}
          {question.header !== undefined && ` · ${question.header}`}
        </p>
      )}
      <Choices key={step} question={question} answer={answer} onChange={change} problem={problem} />
      <div className="flex flex-wrap gap-2">
        {step > 0 && <Button onClick={() => goTo(step - 1)}>Back</Button>}
        <Button type="submit" variant="primary">
          {isLast ? "Send answer" : "Next"}
        </Button>
      </div>
    </form>
  );
};

type ChoicesProps = {
  question: Question;
  answer: QuestionAnswer;
  onChange: (changes: Partial<QuestionAnswer>) => void;
  problem: string | undefined;
};

const Choices = (props: ChoicesProps) => {
  const { answer, onChange, problem, question } = props;
  return (
    <>
      {question.multi_select ? <ManyChoices {...props} /> : <OneChoice {...props} />}
      {answer.isOther && (
        <TextArea
          label="Your answer"
          rows={1}
          value={answer.other}
          error={problem}
          onChange={(event) => onChange({ other: event.target.value })}
          onKeyDown={(event) => {
            if (readEnter(event) === undefined) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      )}
    </>
  );
};

const OTHER = "other";

const OneChoice = ({ question, answer, onChange, problem }: ChoicesProps) => (
  <RadioGroup
    label={question.question}
    options={[
      ...question.options.map(({ label, description }, index) => ({
        value: String(index),
        label,
        ...(description !== undefined && { hint: description }),
      })),
      { value: OTHER, label: "Other" },
    ]}
    value={answer.isOther ? OTHER : answer.chosen[0]?.toString()}
    onChange={(value) =>
      onChange(
        value === OTHER
          ? { chosen: [], isOther: true }
          : { chosen: [Number(value)], isOther: false },
      )
    }
    error={answer.isOther ? undefined : problem}
  />
);

const ManyChoices = ({ question, answer, onChange, problem }: ChoicesProps) => {
  const { chosen, isOther } = answer;
  return (
    <FieldGroup
      label={question.question}
      hint="You can choose several."
      error={isOther ? undefined : problem}
    >
      <div className="flex flex-col gap-2">
        {question.options.map(({ label, description }, index) => (
          <Checkbox
            key={label}
            label={label}
            hint={description}
            checked={chosen.includes(index)}
            onChange={({ target: { checked } }) =>
              onChange({
                chosen: checked ? [...chosen, index] : chosen.filter((other) => other !== index),
              })
            }
          />
        ))}
        <Checkbox
          label="Other"
          checked={isOther}
          onChange={({ target: { checked } }) => onChange({ isOther: checked })}
        />
      </div>
    </FieldGroup>
  );
};
