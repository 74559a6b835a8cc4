import { ChevronsUpDown } from "lucide-react";
import { PopupTrigger } from "@/components/ui/popup-trigger";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import { importPart } from "@/lib/import-part";
import type { UserMenuProps } from "./open-user-menu";

const loadMenu = () => importPart(() => import("./open-user-menu"));

/** The account of the person. Its menu loads when it is opened first. */
export const UserMenu = (props: UserMenuProps) => {
  const { user } = props;
  const displayName = user.name || user.email;
  const [initial] = displayName;
  const trigger = (
    <button
      type="button"
      className="flex h-11 w-full min-w-0 items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover data-popup-open:bg-hover"
    >
      <span
        aria-hidden
        className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong uppercase"
      >
        {initial}
      </span>
      <VisuallyHidden>Account:</VisuallyHidden>
      <span className="min-w-0 flex-1 truncate font-medium">{displayName}</span>
      <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-muted" />
    </button>
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
