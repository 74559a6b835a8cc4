import type { ReactNode } from "react";
import { CodeSample } from "@/components/ui/code-sample";
import { Disclosure } from "@/components/ui/disclosure";
import { FieldList, VariantList } from "./field-list";
import { MethodBadge } from "./method-badge";
import type { ReferenceBody, ReferenceOperation, ReferenceResponse } from "./reference";
import { TextWithCode } from "./text-with-code";
import { toCurl } from "./to-curl";
import { TypeText } from "./type-text";

type Navigation = { onNavigate: (href: string) => void };

type OperationSectionProps = Navigation & {
  operation: ReferenceOperation;
  /** The address of the API, with its path. */
  baseUrl: string;
  /** The text of a key for the example. */
  apiKey: string | undefined;
};

/** One operation: what it does, what it takes and returns, and a command that requests it. */
export const OperationSection = (props: OperationSectionProps) => {
  const { operation, baseUrl, apiKey, onNavigate } = props;
  const { id, method, path, summary, description, parameters, bodies, responses } = operation;
  const { errorStatuses, request } = operation;
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4">
      <div className="grid min-w-0 gap-1.5">
        <h2 id={id} tabIndex={-1} className="scroll-mt-4 text-base font-semibold wrap-anywhere">
          {summary}
        </h2>
        <p className="flex min-w-0 items-baseline gap-2">
          <MethodBadge method={method} />
          <code className="min-w-0 font-mono text-xs wrap-anywhere">{path}</code>
        </p>
        <p className="whitespace-pre-line text-muted">
          <TextWithCode text={description} />
        </p>
      </div>
      {request && (
        <CodeSample
          label={`Command: ${summary}`}
          code={toCurl(request, { baseUrl, key: apiKey })}
          copyLabel={`Copy command: ${summary}`}
        />
      )}
      {parameters.length > 0 && (
        <Part title="Parameters">
          <FieldList
            fields={parameters.map(({ place, ...field }) => ({
              ...field,
              limits: [`in the ${place}`, ...field.limits],
            }))}
            onNavigate={onNavigate}
          />
        </Part>
      )}
      {bodies.length > 0 && (
        <Part title="Body">
          {bodies.map((body) => (
            <Body key={body.mediaType} body={body} of={summary} onNavigate={onNavigate} />
          ))}
        </Part>
      )}
      <Part title="Responses">
        {responses.map((response) => (
          <Response
            key={response.status}
            response={response}
            of={summary}
            onNavigate={onNavigate}
          />
        ))}
        <p className="text-muted">
          Refusals, each with a <TypeText type={PROBLEM} onNavigate={onNavigate} />:{" "}
          {errorStatuses.join(", ")}.
        </p>
      </Part>
    </section>
  );
};

const PROBLEM = [{ text: "Problem", schema: "Problem" }];

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid min-w-0 gap-2">
    <h3 className="font-medium">{title}</h3>
    {children}
  </div>
);

/** @param of the summary of the operation, which makes the names of controls unique. */
const Response = (props: Navigation & { response: ReferenceResponse; of: string }) => {
  const { response, of, onNavigate } = props;
  const { status, description, body } = response;
  return (
    <div className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono text-xs font-semibold">{status}</span>
        {description}
      </p>
      {body && <Body body={body} of={`${of}, ${status}`} onNavigate={onNavigate} />}
    </div>
  );
};

const Body = ({ body, of, onNavigate }: Navigation & { body: ReferenceBody; of: string }) => {
  const { mediaType, type, variants, example } = body;
  return (
    <div className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <TypeText type={type} onNavigate={onNavigate} />
        <span className="text-xs text-muted">{mediaType === "*/*" ? "any type" : mediaType}</span>
      </p>
      {variants.length > 0 && <VariantList variants={variants} onNavigate={onNavigate} />}
      {example !== undefined && (
        <Disclosure summary="Example">
          <CodeSample label={`Example: ${of}`} code={example} copyLabel={`Copy example: ${of}`} />
        </Disclosure>
      )}
    </div>
  );
};
