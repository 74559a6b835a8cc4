/** Messages per page of a chat's history. */
export const PAGE_SIZE = 50;
