import type { CyclicSchemaExpandProps } from "@rjsf/utils";
import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { humanize } from "@/lib/humanize";
import { FORM_ITEM, replaceItem } from "./form-item-focus";

/** Shows the fields of a recursive schema one level at a time, because they have no end. */
export const SchemaCycleTemplate = ({
  name,
  schema,
  onExpand,
  fieldPathId,
}: CyclicSchemaExpandProps) => (
  <div {...FORM_ITEM}>
    <Button
      size="sm"
      icon={<Plus aria-hidden size={14} />}
      onClick={({ currentTarget }) => replaceItem(currentTarget, () => onExpand(fieldPathId.$id))}
    >
      <span className="max-w-48 truncate">{`Fill in “${schema.title ?? humanize(name)}”`}</span>
    </Button>
  </div>
);
