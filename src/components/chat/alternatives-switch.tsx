"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import type { MessageView } from "@/contract/chat-view";

type AlternativesSwitchProps = {
  /** The message that has the versions. */
  message: Pick<MessageView, "role" | "alternatives" | "former_answers">;
  /** Whether nothing follows it, so that former answers are those of no answer. */
  isLast: boolean;
  /** Absent while none can be chosen. */
  onChoose?: ((messageId: string) => void) | undefined;
};

type Direction = "previous" | "next";
type Subject = "your message" | "the answer";

/** Changes between the versions of a message or an answer. */
const AlternativesSwitch = ({ onChoose, ...shown }: AlternativesSwitchProps) => {
  const { of, index, ids } = findVersions(shown);
  const renderButton = (direction: Direction) => {
    const id = ids[direction === "previous" ? index - 2 : index];
    const choose = (): void => {
      if (id === undefined) return;
      pressed = { direction, id };
      onChoose?.(id);
    };
    const Icon = direction === "previous" ? ChevronLeft : ChevronRight;
    return (
      <IconButton
        size="sm"
        label={`${direction === "previous" ? "Previous" : "Next"} version`}
        icon={<Icon aria-hidden size={15} />}
        disabled={id === undefined || !onChoose}
        onClick={choose}
      />
    );
  };
  // An answer that there is not may only not be there yet.
  if (ids.length === 0 || (!onChoose && index > ids.length)) return null;
  const count = Math.max(ids.length, index);
  return (
    <div
      ref={(group) => takeFocus(group, ids[index - 1])}
      role="group"
      aria-label={`Version ${index} of ${count} of ${of}`}
      className="-ml-1.5 flex shrink-0 items-center text-xs text-muted print:hidden"
    >
      {renderButton("previous")}
      <span aria-hidden className="tabular-nums">
        {index}/{count}
      </span>
      {renderButton("next")}
    </div>
  );
};

export default AlternativesSwitch;

/** @returns the place of the version that is shown, from 1, which is above the others for an answer that there is not. */
const findVersions = ({
  message: { role, alternatives, former_answers: former },
  isLast,
}: Pick<AlternativesSwitchProps, "message" | "isLast">): {
  of: Subject;
  index: number;
  ids: readonly string[];
} => {
  if (former && isLast) return { of: "the answer", index: former.length + 1, ids: former };
  const { index = 1, ids = [] } = alternatives ?? {};
  return { of: role === "user" ? "your message" : "the answer", index, ids };
};

/** The button that was pressed, and what it chooses: that has a row of its own, whose button gets the focus. */
let pressed: { direction: Direction; id: string } | undefined;

/** Gives the focus that was on the button of the former row to the one of the chosen row, if nothing else has it. */
const takeFocus = (group: HTMLElement | null, id: string | undefined): void => {
  if (!group || pressed?.id !== id || pressed === undefined) return;
  const { direction } = pressed;
  pressed = undefined;
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const buttons = [...group.querySelectorAll<HTMLButtonElement>("button")];
  const [first, second] = direction === "previous" ? buttons : buttons.toReversed();
  (first?.disabled ? second : first)?.focus({ preventScroll: true });
};
