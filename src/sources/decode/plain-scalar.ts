/**
 * An unquoted scalar whose text counts: a number, because quantities keep their spelling and integers above 2^53 would lose digits,
 * or a word that YAML 1.1 and 1.2 read differently. Specification dump-formats 1.8.
 */
export class PlainScalar {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** As a key of a mapping it is its text. js-yaml asks for the tag before it calls toString. */
  get [Symbol.toStringTag](): string {
    return 'PlainScalar';
  }

  toString(): string {
    return this.text;
  }
}

const numberPattern =
  /^(?:[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN))$/;
const groupedPattern = /^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?$/;
const octalPattern = /^([-+]?)0([0-7]+)$/;
const yaml11Booleans: ReadonlyMap<string, boolean> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

/** Whether an unquoted scalar is a number to YAML 1.2, or anything but a text to YAML 1.1. */
export function isPlainScalar(text: string): boolean {
  const first = text.charCodeAt(0);
  // A digit, a sign, a dot.
  if ((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e) {
    return numberPattern.test(text) || groupedPattern.test(text);
  }
  return text.length <= 3 && yaml11Booleans.has(text);
}

/**
 * What kubectl takes the scalar for if that is not what YAML 1.2 says: it reads manifests as YAML 1.1, where `yes` and `on` are
 * booleans, `010` is 8 and `1_000` is 1000. sigs.k8s.io/yaml goyaml.v2/resolve.go.
 */
export function kubectlReading({ text }: PlainScalar): string | undefined {
  const boolean = yaml11Booleans.get(text);
  if (boolean !== undefined) return String(boolean);
  const digits = text.replaceAll('_', '');
  const octal = octalPattern.exec(digits);
  if (octal !== null) return `${octal[1] === '-' ? '-' : ''}${BigInt(`0o${octal[2]}`)}`;
  return digits === text ? undefined : digits;
}

/** Whether the scalar is a number to kubectl. */
export function isNumber(scalar: PlainScalar): boolean {
  return !yaml11Booleans.has(scalar.text);
}

/** The decimal spelling of a number in hexadecimal, octal or binary notation; other texts as they are. */
export function decimalSpelling(text: string): string {
  const match = /^([-+]?)(0[xob].*)$/.exec(text);
  if (match === null) return text;
  return `${match[1] === '-' ? '-' : ''}${BigInt(match[2] as string)}`;
}
