/** Where a surface reports what went wrong on our side, and, to who wants it all, each request; pino has this shape. */
export interface Log {
  error(fields: object, message: string): void;
  debug?(fields: object, message: string): void;
}
