import { useState } from "react";
import { Markdown } from "@/components/ui/markdown";
import type { FieldProps } from "./field-props";
import { toText } from "./field-texts";
import { SchemaTextField } from "./schema-text-field";

/** A text of a media type, such as Markdown or JSON, with a preview of how it is read. */
export const SchemaMediaField = (props: FieldProps) => {
  const { schema, value } = props;
  const [isOpen, setOpen] = useState(false);
  const mediaType = toText(schema.contentMediaType) ?? "";
  return (
    <div className="grid grid-cols-1 gap-2">
      <SchemaTextField {...props} />
      {typeof value === "string" && value !== "" && (
        <details
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
          className="min-w-0 text-sm"
        >
          <summary className="cursor-pointer text-xs text-muted">Preview</summary>
          <div className="pt-2">
            {isOpen && <Markdown text={toMarkdown(value, mediaType)} isStreaming={false} />}
          </div>
        </details>
      )}
    </div>
  );
};

/** Code becomes a block, which is highlighted. */
const toMarkdown = (text: string, mediaType: string): string => {
  if (mediaType === "text/markdown") return text;
  const language = /(?:[/+]|x-)(\w+)$/.exec(mediaType)?.[1] ?? "";
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
};
