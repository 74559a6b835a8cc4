"use client";
import type { ReactElement } from "react";
import OpenMenu, { type MenuItem } from "@/components/ui/open-menu";
import type { OpenedPopup } from "@/components/ui/popup-trigger";
import { EFFORT_NAMES, EFFORTS } from "@/contract/efforts";
import type { Model } from "@/contract/model";
import type { RegenerateChoice } from "@/contract/regenerate-choice";

export type RegenerateMenuProps = {
  models: readonly Model[];
  /** The id of the model of the chat; null for the default one. */
  modelId: string | null;
  onRegenerate: (choice: RegenerateChoice) => void;
};

/** The models and efforts to regenerate an answer with, which are open at first, and their button. */
const OpenRegenerateMenu = ({
  models,
  modelId,
  onRegenerate,
  ...popup
}: RegenerateMenuProps & OpenedPopup & { trigger: ReactElement }) => {
  const isCurrent = ({ id, is_default }: Model) => (modelId === null ? is_default : id === modelId);
  const others = models.filter((model) => model.enabled && !isCurrent(model));
  const efforts = models.find(isCurrent)?.reasoning_efforts ?? EFFORT_NAMES;
  const toItem = (label: string, choice: RegenerateChoice): MenuItem => {
    return { kind: "item", label, onSelect: () => onRegenerate(choice) };
  };
  const items = [
    withHeading(
      "Regenerate with another model",
      others.map(({ id, name }) => toItem(name, { model_id: id })),
    ),
    withHeading(
      "Regenerate with other thinking",
      EFFORT_NAMES.filter((name) => efforts.includes(name)).map((name) =>
        toItem(EFFORTS[name], { reasoning_effort: name }),
      ),
    ),
  ].flat();
  return (
    <OpenMenu {...popup} side="top" align="start" items={items.length > 0 ? items : NOTHING} />
  );
};

const withHeading = (label: string, items: MenuItem[]): MenuItem[] =>
  items.length === 0 ? [] : [{ kind: "heading", label }, ...items];

const NOTHING: MenuItem[] = [
  {
    kind: "item",
    label: "No other model, and no thinking to choose",
    disabled: true,
    onSelect: () => undefined,
  },
];

export default OpenRegenerateMenu;
