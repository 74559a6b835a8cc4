/** @returns the address of a chat's file, for signed-in browsers and programs with a key. */
export const toFileUrl = (artifactId: string): string => `/api/v1/files/${artifactId}`;

const FILE_URL = /^\/api\/v1\/files\/[\da-f-]{36}$/;

/** Whether an address is one of `toFileUrl`. */
export const isFileUrl = (url: string): boolean => FILE_URL.test(url);
