import { CodeSample } from "@/components/ui/code-sample";
import { VariantList } from "./field-list";
import type { ReferenceSchema } from "./reference";
import { TypeText } from "./type-text";

type SchemaDetailsProps = { schema: ReferenceSchema; onNavigate: (href: string) => void };

/** A named schema with an example. */
export const SchemaDetails = ({ schema, onNavigate }: SchemaDetailsProps) => {
  const { name, type, variants, example } = schema;
  return (
    <section aria-labelledby="schema" className="grid min-w-0 gap-4">
      <div className="grid gap-1">
        <h2 id="schema" className="text-base font-semibold wrap-anywhere">
          {name}
        </h2>
        <TypeText type={type} onNavigate={onNavigate} />
      </div>
      {variants.length > 0 && <VariantList variants={variants} onNavigate={onNavigate} />}
      {example !== undefined && (
        <div className="grid min-w-0 gap-2">
          <h3 className="font-medium">Example</h3>
          <CodeSample label={`Example of ${name}`} code={example} copyLabel="Copy example" />
        </div>
      )}
    </section>
  );
};
