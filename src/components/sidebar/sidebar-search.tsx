import { Search, X } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { useEarlyInput } from "@/components/ui/use-early-input";
import { isComposing } from "@/components/ui/text-focus";
import { MAX_SEARCH_LENGTH } from "@/contract/limits";

type SidebarSearchProps = { search: string; onSearchChange: (search: string) => void };

export const SidebarSearch = ({ search, onSearchChange }: SidebarSearchProps) => {
  const field = useRef<HTMLInputElement>(null);
  useEarlyInput(field, search, onSearchChange);
  // The button disappears with the text, so the focus moves to the field first.
  const clear = () => {
    field.current?.focus();
    onSearchChange("");
  };
  return (
    <div role="search" className="relative">
      <Search
        aria-hidden
        size={15}
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-muted"
      />
      <input
        ref={field}
        type="text"
        aria-label="Search chats"
        placeholder="Search chats"
        value={search}
        maxLength={MAX_SEARCH_LENGTH}
        onChange={(event) => onSearchChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || search === "" || isComposing(event)) return;
          // Otherwise the drawer around the list would close too.
          event.stopPropagation();
          onSearchChange("");
        }}
        className="hover:border-text-muted h-9 w-full rounded-md border border-border-field bg-bg pr-9 pl-8 text-sm transition-colors focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 pointer-coarse:h-10 pointer-coarse:text-base"
      />
      {search !== "" && (
        <span className="absolute inset-y-0 right-1 flex items-center">
          <IconButton
            size="sm"
            label="Clear search"
            icon={<X aria-hidden size={14} />}
            onClick={clear}
          />
        </span>
      )}
    </div>
  );
};
