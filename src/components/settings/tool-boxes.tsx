import { FieldGroup } from "@/components/schema-form/field-group";
import { Checkbox } from "@/components/ui/checkbox";
import { Switch } from "@/components/ui/switch";
import type { CustomControl } from "@/components/schema-form/setting-fields";

export type ToolOption = { name: string; description: string };

type ToolBoxesProps = CustomControl & {
  hint: string;
  /** Names that are listed first. */
  first: readonly string[];
  tools: readonly ToolOption[];
  /** What is said of a chosen tool that is not among the tools, and can only be removed. */
  missingText: string;
};

/** Asks for some of the tools of the server, or for all of them, which is null. */
export const ToolsOrAll = ({ allHint, ...props }: ToolBoxesProps & { allHint: string }) => {
  const hasAll = (props.value ?? null) === null;
  return (
    <>
      <Switch
        label="All tools"
        hint={allHint}
        checked={hasAll}
        onChange={({ target }) => props.onChange(target.checked ? null : [...props.first])}
      />
      {!hasAll && <ToolBoxes {...props} />}
    </>
  );
};

/** Asks for some of the tools of the server. */
export const ToolBoxes = (props: ToolBoxesProps) => {
  const { hint, first, tools, missingText, error, onChange } = props;
  const names = Array.isArray(props.value) ? props.value.map(String) : [];
  const missing = findMissingTools(names, tools);
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
            label={
              <code translate="no" className="wrap-anywhere">
                {name}
              </code>
            }
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

export const findMissingTools = (
  names: readonly string[],
  tools: readonly ToolOption[],
): string[] => names.filter((name) => !tools.some((tool) => tool.name === name));
