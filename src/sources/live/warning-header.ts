/**
 * The texts of the API server's warnings (code 299) in `Warning` headers: `299 - "text"`, several separated by commas, quotes
 * escaped by backslashes, perhaps a date behind. What cannot be read is passed over.
 * kubernetes/apimachinery pkg/util/net/http.go, ParseWarningHeaders.
 */
export function warningTexts(headers: readonly string[]): readonly string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/(?:^|,)\s*(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)]
      .filter(([, code, text]) => code === '299' && text !== '')
      .map(([, , text]) => text!.replace(/\\(.)/g, '$1')),
  );
}
