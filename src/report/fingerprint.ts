/** What makes a finding the same finding in the next run: never a line, a text or a number that may move. */
export interface Identity {
  readonly code: string;
  /** Relative to the repository. */
  readonly path: string;
  /** "StatefulSet shop/db" */
  readonly object: string;
  /** The field at fault. */
  readonly field: string;
}

/** A name of 16 hexadecimal digits for each finding, the same in every run; equal identities are told apart by their order. */
export function fingerprints(identities: readonly Identity[]): readonly string[] {
  const seen = new Map<string, number>();
  return identities.map(({ code, path, object, field }) => {
    const text = [code, path, object, field].join('\n');
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return hash(times === 0 ? text : `${text}\n${times}`);
  });
}

const mask = 0xffff_ffff_ffff_ffffn;

/** FNV-1a over the UTF-16 units, 64 bits: no secret is kept by it, names only have to differ. */
function hash(text: string): string {
  let value = 0xcbf2_9ce4_8422_2325n;
  for (let i = 0; i < text.length; i++) value = ((value ^ BigInt(text.charCodeAt(i))) * 0x100_0000_01b3n) & mask;
  return value.toString(16).padStart(16, '0');
}
