import { Paperclip } from "lucide-react";
import { type InputHTMLAttributes, useId } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { MenuIconName } from "@/components/ui/menu-icon";

type AttachButtonProps = {
  onAdd: (files: File[]) => void;
  disabled: boolean;
};

/** With only these in its list, a phone sends its own format as JPEG. */
const IMAGE_TYPES = "image/png,image/jpeg,image/webp,image/gif";

/** What a picker of the browser offers. */
const PICKERS = {
  files: { multiple: true },
  photos: { multiple: true, accept: IMAGE_TYPES },
  camera: { accept: IMAGE_TYPES, capture: "environment" },
} as const satisfies Record<string, InputHTMLAttributes<HTMLInputElement>>;

type Picker = keyof typeof PICKERS;

const LABEL = "Add files";

/** Chooses files for a message. On a phone one says what of, as its picker offers other things for each. */
export const AttachButton = ({ onAdd, disabled }: AttachButtonProps) => {
  const id = useId();
  const toItem = (label: string, picker: Picker, icon: MenuIconName) => ({
    kind: "item" as const,
    label,
    icon,
    onSelect: () => openPicker(id, picker),
  });
  const icon = <Paperclip aria-hidden size={17} />;
  return (
    <div className="flex shrink-0">
      {Object.entries(PICKERS).map(([picker, attributes]) => (
        <input
          key={picker}
          {...attributes}
          id={`${id}${picker}`}
          type="file"
          hidden
          onChange={({ target }) => {
            onAdd([...(target.files ?? [])]);
            // So that the same file can be chosen again.
            target.value = "";
          }}
        />
      ))}
      <span className="pointer-coarse:hidden">
        <IconButton
          label={LABEL}
          icon={icon}
          disabled={disabled}
          onClick={() => openPicker(id, "files")}
        />
      </span>
      <span className="hidden pointer-coarse:block">
        <Menu
          align="start"
          side="top"
          trigger={<IconButton label={LABEL} icon={icon} disabled={disabled} />}
          items={[
            toItem("Photos", "photos", "image"),
            toItem("Camera", "camera", "camera"),
            toItem("Files", "files", "paperclip"),
          ]}
        />
      </span>
    </div>
  );
};

const openPicker = (id: string, picker: Picker): void =>
  document.getElementById(`${id}${picker}`)?.click();
