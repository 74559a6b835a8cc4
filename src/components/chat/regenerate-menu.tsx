import { ChevronDown } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { PopupTrigger } from "@/components/ui/popup-trigger";
import { importPart } from "@/lib/import-part";
import type { RegenerateMenuProps } from "./open-regenerate-menu";

const loadMenu = () => importPart(() => import("./open-regenerate-menu"));

/** Answers anew with another model, or another effort. Its menu loads when it is opened first. */
export const RegenerateMenu = (props: RegenerateMenuProps) => {
  const trigger = (
    <IconButton
      size="sm"
      label="Regenerate with…"
      icon={<ChevronDown aria-hidden size={15} />}
      disabled={props.models.length === 0}
    />
  );
  return (
    <PopupTrigger
      kind="menu"
      trigger={trigger}
      load={loadMenu}
      popupProps={{ ...props, trigger }}
    />
  );
};
