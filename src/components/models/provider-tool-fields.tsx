import { FieldGroup } from "@/components/schema-form/field-group";
import type { CustomControl, FormPart } from "@/components/schema-form/setting-fields";
import type { TextFormat } from "@/components/schema-form/text-formats";
import { Checkbox } from "@/components/ui/checkbox";
import type { JsonValue } from "@/contract/json";
import type { ProviderName } from "@/contract/model";
import type { ProviderToolName } from "@/contract/provider-tool";
import { listProviderTools, PROVIDER_TOOLS, PROVIDERS } from "@/contract/providers";

type Get = (path: string) => JsonValue | undefined;

/** Asks which tools of its provider chats may use with a model; nothing for a provider that runs none. */
export const listProviderToolFields = (get: Get, provider: ProviderName): FormPart[] => {
  const tools = listProviderTools(provider);
  if (tools.length === 0 || get("tool_protocol") === "xml") return [];
  const chosen = get("provider_tools");
  const searchesFiles = Array.isArray(chosen) && chosen.includes("file_search");
  return [
    {
      path: "provider_tools",
      label: "Tools of the provider",
      render: (control) => <ToolChoice {...control} provider={provider} tools={tools} />,
    },
    ...(searchesFiles ? [STORES] : []),
  ];
};

type ToolChoiceProps = CustomControl & {
  provider: ProviderName;
  tools: readonly ProviderToolName[];
};

const ToolChoice = ({ provider, tools, value, error, onChange }: ToolChoiceProps) => {
  const names = Array.isArray(value) ? value : [];
  const { title } = PROVIDERS[provider];
  return (
    <FieldGroup
      label="Tools of the provider"
      hint={`${title} runs them and may charge for each call. What is searched for leaves to whom ${title} asks. Each chat can switch them off.`}
      error={error}
    >
      <div className="flex flex-col gap-2">
        {tools.map((name) => (
          <Checkbox
            key={name}
            label={PROVIDER_TOOLS[name]}
            checked={names.includes(name)}
            onChange={({ target }) =>
              onChange(
                tools.filter((other) => (other === name ? target.checked : names.includes(other))),
              )
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
};

/** One text a line. */
const LINES: TextFormat = {
  format: (value) => (Array.isArray(value) ? value.map(String).join("\n") : ""),
  parse: (text) => ({
    value: text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  }),
};

const STORES: FormPart = {
  path: "file_stores",
  label: "Stores that are searched",
  hint: "One a line, at most 5: ids of vector stores (OpenAI), or names of file search stores (Google).",
  control: "code-lines",
  text: LINES,
  error: "Enter one to five stores.",
  missing: "Enter a store.",
};
