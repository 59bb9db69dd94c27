/** A URL as it may be shown: what stands before its host may be a password. */
export const withoutCredentials = (url: string): string => url.replace(/:\/\/[^/]*@/, "://");
