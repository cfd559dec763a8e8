/** The user asked for something that cannot be: told in one line, exit code 2. */
export class UsageError extends Error {}
