import { withDefaults } from '../../src/api/defaults.ts';
import type { Features } from '../../src/api/features.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../src/api/objects.ts';
import { decodeManifest, type Shape, type StructShape } from '../../src/engine/admission/decode-manifest.ts';
import { withDefaultClass } from '../../src/engine/admission/default-class.ts';
import { type FieldError, textOfFieldError } from '../../src/engine/admission/field.ts';
import { claimShape, classShape, volumeShape } from '../../src/engine/admission/manifest-shapes.ts';
import { withSourceDefaults } from '../../src/engine/admission/source-defaults.ts';
import { storedAmount } from '../../src/engine/admission/stored-amount.ts';
import { validateClaim } from '../../src/engine/admission/validate-claim.ts';
import { validateClass } from '../../src/engine/admission/validate-class.ts';
import { validateVolume } from '../../src/engine/admission/validate-volume.ts';
import { validationRules } from '../../src/engine/admission/validation-rules.ts';
import type { Request } from './protocol.ts';

/** Mode "validate": struct ObjectResult in oracle/validate.go. */
interface ObjectResult {
  readonly object: string;
  readonly stored: unknown;
  readonly errors?: readonly string[];
}

type Decoded =
  | { readonly kind: 'PersistentVolumeClaim'; readonly object: PersistentVolumeClaim }
  | { readonly kind: 'PersistentVolume'; readonly object: PersistentVolume }
  | { readonly kind: 'StorageClass'; readonly object: StorageClass };

const shapes = { PersistentVolumeClaim: claimShape, PersistentVolume: volumeShape, StorageClass: classShape };
const apiVersions = { PersistentVolumeClaim: 'v1', PersistentVolume: 'v1', StorageClass: 'storage.k8s.io/v1' };

/**
 * Answers as the oracle does: each object after defaults, a claim also with the default class, and what validation says. What an
 * API server does before it validates (prepare-for-create.ts) and the plugins that refuse are not part of that mode.
 */
export function answerValidate(request: Request, features: Features): readonly ObjectResult[] {
  const rules = validationRules(features);
  const objects = (request.objects ?? []).flatMap(decode);
  const classes = objects.flatMap((one) => (one.kind === 'StorageClass' ? [one.object] : []));
  return objects.map((one): ObjectResult => {
    switch (one.kind) {
      case 'PersistentVolumeClaim': {
        const claim = withDefaultClass(one.object, classes);
        const { namespace, name } = claim.metadata;
        return result(`claim ${namespace}/${name}`, claimShape, claim, validateClaim(claim, rules));
      }
      case 'PersistentVolume': {
        const volume = withSourceDefaults(one.object);
        return result(`volume ${one.object.metadata.name}`, volumeShape, volume, validateVolume(volume, rules));
      }
      case 'StorageClass':
        return result(`class ${one.object.metadata.name}`, classShape, one.object, validateClass(one.object, rules));
      default:
        return one satisfies never;
    }
  });
}

function result(object: string, shape: StructShape, stored: object, errors: readonly FieldError[]): ObjectResult {
  const texts = errors.map(textOfFieldError);
  return { object, stored: encode(shape, stored), ...(texts.length > 0 ? { errors: texts } : {}) };
}

/** The oracle's decode in oracle/objects.go; kinds that it passes over give nothing. */
function decode(raw: unknown, i: number): Decoded[] {
  const [kind, apiVersion] = ['kind', 'apiversion'].map((name) => fieldOf(raw, name));
  if (!isText(kind) || !isText(apiVersion)) throw new Error(`object ${i}: Object 'Kind' or 'apiVersion' is missing`);
  if (!isKind(kind) || apiVersions[kind] !== apiVersion) return [];
  const decoded = decodeManifest<{ metadata: { name?: string; namespace?: string } }>(shapes[kind], raw);
  if (decoded.is === 'refused') throw new Error(`object ${i}: ${decoded.message}`);
  const { object } = decoded;
  const { name = '', namespace = kind === 'PersistentVolumeClaim' ? 'default' : undefined } = object.metadata;
  const metadata = { ...object.metadata, name, ...(namespace === undefined ? {} : { namespace }) };
  return [{ kind, object: withDefaults({ ...object, kind, metadata }) } as unknown as Decoded];
}

/** Where the kind is read, the case of names does not count yet. */
const fieldOf = (raw: unknown, lowerCaseName: string): unknown =>
  Object.entries(raw ?? {}).findLast(([name]) => name.toLowerCase() === lowerCaseName)?.[1];

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isKind = (kind: string): kind is Decoded['kind'] => Object.hasOwn(shapes, kind);

/** A decoded object as Go prints it: canonical amounts, nothing that is empty except where the API says so. */
function encode(shape: Shape, value: unknown): unknown {
  switch (shape.is) {
    case 'quantity':
      return storedAmount(value as string).printed;
    case 'list':
      return (value as readonly unknown[]).map((item) => encode(shape.of, item));
    case 'map':
      return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, encode(shape.of, item)]));
    case 'struct':
      return Object.fromEntries(
        Object.entries(shape.fields).flatMap(([name, field]) => {
          const content = (value as Readonly<Record<string, unknown>>)[name];
          if (content === undefined) return field.always ? [[name, null]] : [];
          return field.always || !isEmpty(field.shape, content) ? [[name, encode(field.shape, content)]] : [];
        }),
      );
    default:
      return value;
  }
}

const isEmpty = (shape: Shape, value: unknown): boolean =>
  (shape.is === 'list' || shape.is === 'map') && Object.keys(value as object).length === 0;
