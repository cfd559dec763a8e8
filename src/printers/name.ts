/** What `-o name` needs of an object. */
export interface NamedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/**
 * Objects as `kubectl -o name` prints them, one a line: the kind in small letters, with its group if it has one, and the name.
 *
 * kubernetes/cli-runtime pkg/printers/name.go; specification ecosystem 7.4.
 */
export function* printNames(objects: Iterable<NamedObject>): Iterable<string> {
  for (const { apiVersion, kind, metadata } of objects) {
    const group = groupOf(apiVersion ?? '');
    const name = metadata.name === '' ? '<unknown>' : metadata.name;
    yield `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}\n`;
  }
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
