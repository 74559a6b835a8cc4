"use client";
import type { ReactElement } from "react";
import OpenMenu from "@/components/ui/open-menu";
import type { OpenedPopup } from "@/components/ui/popup-trigger";
import { type Effort, EFFORT_NAMES, EFFORTS } from "@/contract/efforts";

type EffortMenuProps = OpenedPopup & {
  trigger: ReactElement;
  efforts: readonly Effort[];
  chosen: Effort | undefined;
  onChange: (effort: Effort | null) => void;
};

const BY_ITSELF = "default";

/** The efforts of a model, which is open at first, and its button. */
const OpenEffortMenu = ({ efforts, chosen, onChange, ...popup }: EffortMenuProps) => (
  <OpenMenu
    {...popup}
    side="top"
    items={[
      {
        kind: "choice",
        label: "How much the model thinks",
        value: chosen ?? BY_ITSELF,
        options: [
          [BY_ITSELF, "As the model does by itself"],
          ...EFFORT_NAMES.filter((name) => efforts.includes(name)).map(
            (name) => [name, EFFORTS[name]] as const,
          ),
        ],
        onChange: (next) => onChange(EFFORT_NAMES.find((name) => name === next) ?? null),
      },
    ]}
  />
);

export default OpenEffortMenu;
