import type { TypePart } from "./reference";
import { SchemaLink } from "./schema-link";

type TypeTextProps = { type: readonly TypePart[]; onNavigate: (href: string) => void };

/** A type, in which the names of schemas are links. */
export const TypeText = ({ type, onNavigate }: TypeTextProps) => (
  <span translate="no" className="font-mono text-xs wrap-anywhere text-muted">
    {type.map(({ text, schema }, index) =>
      schema === undefined ? (
        <span key={index}>{text}</span>
      ) : (
        <SchemaLink key={index} name={schema} onNavigate={onNavigate} />
      ),
    )}
  </span>
);
