import { X } from "lucide-react";
import { FieldGroup } from "./field-group";
import { IconButton } from "@/components/ui/icon-button";

type RemovableItemsProps = {
  label: string;
  hint: string;
  items: readonly { name: string; description?: string | undefined }[];
  /** What is said while there are none. */
  empty: string;
  error: string | undefined;
  /** @param index its place in the list. */
  onRemove: (index: number) => void;
};

/** Lists what was made elsewhere, each of which can be removed. */
export const RemovableItems = (props: RemovableItemsProps) => {
  const { label, hint, items, empty, error, onRemove } = props;
  return (
    <FieldGroup label={label} hint={hint} error={error}>
      {items.length === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <ul className="divide-y rounded-md border bg-bg">
          {items.map(({ name, description = "" }, index) => (
            <li key={name} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <code translate="no" className="wrap-anywhere">
                  {name}
                </code>
                {description !== "" && <p className="line-clamp-2 text-muted">{description}</p>}
              </div>
              <IconButton
                label={`Remove ${name}`}
                icon={<X aria-hidden size={16} />}
                onClick={() => onRemove(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </FieldGroup>
  );
};
