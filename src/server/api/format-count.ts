/** `1048576` → `1,048,576`, for texts. */
export const formatCount = (count: number): string => count.toLocaleString("en");
