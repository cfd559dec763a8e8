export function normal(result: object): object;
