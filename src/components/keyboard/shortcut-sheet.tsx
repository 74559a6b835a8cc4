import { X } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Modal, type ModalHandle } from "@/components/ui/modal";
import { isMac, listKeys, type Shortcut, SHORTCUTS } from "@/components/ui/shortcuts";
import { Switch } from "@/components/ui/switch";

type ShortcutSheetProps = {
  hasSingleKeys: boolean;
  onSingleKeysChange: (hasSingleKeys: boolean) => void;
  /** Whether the keyboard has a Cmd key; for stories. */
  hasCommandKey?: boolean;
  onClose: () => void;
};

const HEADINGS: Readonly<Record<keyof typeof SHORTCUTS, string>> = {
  everywhere: "Everywhere",
  "outside-fields": "Outside of text fields",
  "message-field": "In the message field",
  "chat-list": "In the chat list",
};

/** All shortcuts, by where they work. */
export const ShortcutSheet = (props: ShortcutSheetProps) => {
  const { hasSingleKeys, onSingleKeysChange, hasCommandKey = isMac(), onClose } = props;
  const modal = useRef<ModalHandle>(null);
  return (
    <Modal ref={modal} label="Keyboard shortcuts" onClose={onClose}>
      <div className="flex min-h-0 w-full min-w-0 flex-col">
        <header className="flex items-center justify-between gap-2 border-b py-2 pr-2 pl-6">
          <h2 className="font-semibold">Keyboard shortcuts</h2>
          <IconButton
            label="Close"
            icon={<X aria-hidden size={16} />}
            onClick={() => modal.current?.close()}
          />
        </header>
        <div
          role="region"
          aria-label="Shortcuts"
          tabIndex={0}
          className="grid min-h-0 flex-1 gap-6 overflow-y-auto px-6 py-4 -outline-offset-2"
        >
          {(Object.keys(HEADINGS) as (keyof typeof SHORTCUTS)[]).map((place) => (
            <Place key={place} place={place} hasCommandKey={hasCommandKey} />
          ))}
          <div className="border-t pt-4">
            <Switch
              label="Shortcuts of a single key"
              hint="Those outside of text fields. Turn them off if you speak what you write."
              checked={hasSingleKeys}
              onChange={({ target }) => onSingleKeysChange(target.checked)}
            />
          </div>
        </div>
      </div>
    </Modal>
  );
};

const listShortcuts = (place: keyof typeof SHORTCUTS): readonly Shortcut[] =>
  Object.values<Shortcut>(SHORTCUTS[place]);

type PlaceProps = { place: keyof typeof SHORTCUTS; hasCommandKey: boolean };

const Place = ({ place, hasCommandKey }: PlaceProps) => (
  <section>
    <h3 className="mb-1.5 text-xs font-medium text-muted">{HEADINGS[place]}</h3>
    <dl className="grid gap-1.5 text-sm">
      {listShortcuts(place).map((shortcut) => (
        <div key={shortcut.label} className="flex items-baseline justify-between gap-4">
          <dt className="min-w-0">{shortcut.label}</dt>
          <dd className="flex shrink-0 gap-1">
            {listKeys(shortcut, hasCommandKey).map((key) => (
              <kbd
                key={key}
                className="min-w-6 rounded-sm border border-border-strong bg-surface px-1.5 text-center font-sans text-xs/5"
              >
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
