import type { PartRow } from "./rows";

/** The columns of a part as `json_to_recordset` reads them from `toPartRecord`. */
export const PART_RECORD = `(index int, type part_type, text text, data jsonb, provider_metadata jsonb,
  started_at timestamptz, completed_at timestamptz, tool_call_id text, tool_name text, kind tool_kind,
  args json, state tool_call_state, output json, is_error boolean, for_user text, silent boolean,
  response_handled boolean, artifacts jsonb, resolved_by text, approved boolean)`;

export const PART_COLUMNS = `index, type, text, data, provider_metadata, started_at, completed_at,
  tool_call_id, tool_name, kind, args, state, output, is_error, for_user, silent, response_handled,
  artifacts, resolved_by, approved`;

const OUTCOME_DEFAULTS = {
  is_error: false,
  silent: false,
  response_handled: false,
  approved: false,
};

/** One part as a record for `json_to_recordset(…) AS x${PART_RECORD}`; bind it with `toJsonText`. */
export const toPartRecord = (part: PartRow, index: number): Record<string, unknown> => {
  switch (part.type) {
    case "text":
      return {
        ...OUTCOME_DEFAULTS,
        index,
        type: part.type,
        text: part.text,
        provider_metadata: part.providerMetadata,
      };
    case "reasoning":
      return {
        ...OUTCOME_DEFAULTS,
        index,
        type: part.type,
        text: part.text,
        started_at: part.startedAt,
        completed_at: part.completedAt,
        provider_metadata: part.providerMetadata,
      };
    case "source":
      return { ...OUTCOME_DEFAULTS, index, type: part.type, data: part.data };
    case "tool_call":
      return {
        index,
        type: part.type,
        tool_call_id: part.toolCallId,
        tool_name: part.toolName,
        kind: part.kind,
        args: part.args,
        state: part.state,
        output: part.output,
        is_error: part.isError,
        for_user: part.forUser,
        silent: part.silent,
        response_handled: part.responseHandled,
        artifacts: part.artifacts,
        resolved_by: part.resolvedBy,
        approved: part.approved,
        started_at: part.startedAt,
        completed_at: part.completedAt,
        provider_metadata: part.providerMetadata,
      };
  }
};
