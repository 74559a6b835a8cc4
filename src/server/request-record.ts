import { shareInProcess } from "@/server/share-in-process";

/**
 * Names the record of a request to its handlers. The HTTP front sets it on every request, in place of what a client sent
 * under this name.
 */
export const REQUEST_RECORD_HEADER = "x-parley-request-record";

/** What only the handlers of a request find out, for the access log. */
export type RequestRecord = {
  /** Of the API key that the request was sent with. */
  keyId?: string;
};

/** Of the requests that are not answered yet. */
const state = shareInProcess("request-records", () => ({
  count: 0,
  records: new Map<string, RequestRecord>(),
}));

/** @returns the record, its name for the handlers, and a function that removes it. */
export const openRequestRecord = () => {
  const name = String((state.count += 1));
  const record: RequestRecord = {};
  state.records.set(name, record);
  return { name, record, close: (): void => void state.records.delete(name) };
};

/** Does nothing for a request that has no record, as those to a server that Next creates itself. */
export const recordKey = (headers: Headers, keyId: string): void => {
  const record = state.records.get(headers.get(REQUEST_RECORD_HEADER) ?? "");
  if (record) record.keyId = keyId;
};
