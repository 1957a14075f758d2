/** Where a surface reports what went wrong on our side; pino has this shape. */
export interface Log {
  error(fields: object, message: string): void;
}
