/** What the API tells the log: failures that are ours, with the request's id. */
export type ApiLog = { error: (fields: object, message: string) => void };
