import type { CyclicSchemaExpandProps } from "@rjsf/utils";
import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { humanize } from "@/lib/humanize";
import { PART, replacePart } from "./keep-focus";

/** A schema that contains itself has no end; its fields appear one level at a time. */
export const SchemaCycleTemplate = ({
  name,
  schema,
  onExpand,
  fieldPathId,
}: CyclicSchemaExpandProps) => (
  <div {...PART}>
    <Button
      size="sm"
      icon={<Plus aria-hidden size={14} />}
      onClick={({ currentTarget }) => replacePart(currentTarget, () => onExpand(fieldPathId.$id))}
    >
      <span className="max-w-48 truncate">{`Fill in “${schema.title ?? humanize(name)}”`}</span>
    </Button>
  </div>
);
