import type { Features } from '../../api/features.ts';

/** Where releases differ in what they refuse, and in the words. */
export type ValidationRules = Pick<Features, 'volumeAttributesClass'> & {
  /** Since 1.35 a malformed key of a label is no longer called a qualified name, and lengths of keys and values count bytes. */
  readonly revisedLabelWords: boolean;
  /** Up to 1.34 an empty CSI driver name is also refused for its format. */
  readonly formatsEmptyDriverName: boolean;
  /** Since 1.37 owner references are told apart by their index, and their empty fields are required, not invalid. */
  readonly requiresOwnerFields: boolean;
  /** Since 1.37 the operation of managed fields is required and one of a set. */
  readonly requiresManagedFieldsOperation: boolean;
};

export function validationRules(features: Features): ValidationRules {
  const f = features as any;
  return {
    volumeAttributesClass: features.volumeAttributesClass,
    revisedLabelWords: f.minor === undefined || f.minor >= 35,
    formatsEmptyDriverName: f.minor <= 34,
    requiresOwnerFields: !(f.minor < 37),
    requiresManagedFieldsOperation: !(f.minor < 37),
  };
}
