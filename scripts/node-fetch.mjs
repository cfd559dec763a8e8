// Stands for the package node-fetch, which the bundled Kubernetes client names and this program never calls: the real one brings
// 310 KB along and the deprecated module punycode, of which Node warns (DEP0040).
// biome-ignore lint/style/noDefaultExport: the package has one
export default globalThis.fetch;
export const { FormData, Headers, Request, Response } = globalThis;
export class AbortError extends Error {}
export class FetchError extends Error {}
