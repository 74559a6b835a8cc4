const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for text that the database accepts as a UUID; any other id is unknown. */
export const isUuid = (text: string): boolean => UUID.test(text);
