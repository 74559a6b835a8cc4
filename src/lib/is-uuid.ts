const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for text that the database takes as a UUID; other ids are simply unknown. */
export const isUuid = (text: string): boolean => UUID.test(text);
