/** What the program's end tells: as `kubectl diff`, findings are 1, and failure is 2. */
export const exitCodes = { clean: 0, findings: 1, failure: 2 } as const;
