import { FieldGroup } from "@/components/schema-form/field-group";
import { Checkbox } from "@/components/ui/checkbox";

export type ToolOption = { name: string; description: string };

type ToolBoxesProps = {
  hint: string;
  /** Names that are listed first. */
  first: readonly string[];
  /** Chosen tools; one that is not among the tools can only be removed. */
  names: readonly string[];
  tools: readonly ToolOption[];
  /** What is said of one that is not among the tools. */
  missingText: string;
  error: string | undefined;
  onChange: (names: string[]) => void;
};

/** Asks for some of the tools of the server. */
export const ToolBoxes = (props: ToolBoxesProps) => {
  const { hint, first, names, tools, missingText, error, onChange } = props;
  const missing = names.filter((name) => !tools.some((tool) => tool.name === name));
  const options: readonly ToolOption[] = [
    ...missing.map((name) => ({ name, description: missingText })),
    ...tools.filter(({ name }) => first.includes(name)),
    ...tools.filter(({ name }) => !first.includes(name)),
  ];
  return (
    <FieldGroup label="Tools" hint={hint} error={error}>
      <div className="grid max-h-72 gap-3 overflow-y-auto rounded-md border bg-bg p-3">
        {options.map(({ name, description }) => (
          <Checkbox
            key={name}
            label={<code className="wrap-anywhere">{name}</code>}
            hint={<span className="line-clamp-2">{description}</span>}
            checked={names.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...names, name] : names.filter((other) => other !== name))
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
};
