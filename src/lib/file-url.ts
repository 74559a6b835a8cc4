/** @returns the address of a chat's file, for signed-in browsers and programs with a key. */
export const toFileUrl = (artifactId: string): string => `/api/v1/files/${artifactId}`;

/** @returns the address of a smaller image, where the file is one that was sent; else of the file itself. */
export const toPreviewUrl = (artifactId: string): string => `${toFileUrl(artifactId)}?preview=true`;

/** Each address of `toFileUrl` in a text. */
export const FILE_URLS = /\/api\/v1\/files\/[\da-f-]{36}/g;

const FILE_URL = /^\/api\/v1\/files\/[\da-f-]{36}$/;

/** Whether an address is one of `toFileUrl`. */
export const isFileUrl = (url: string): boolean => FILE_URL.test(url);
