import type { Features } from '../../api/features.ts';

/** Where releases differ in what they refuse, and in the words. */
export interface ValidationRules
  extends Pick<Features, 'volumeAttributesClass' | 'readWriteOncePod' | 'recoverVolumeExpansionFailure'> {
  /** Since 1.35 a malformed key of a label is no longer called a qualified name, and lengths of keys and values count bytes. */
  readonly revisedLabelWords: boolean;
  /** Up to 1.34 an empty CSI driver name is also refused for its format. */
  readonly formatsEmptyDriverName: boolean;
  /** Since 1.37 owner references are told apart by their index, and their empty fields are required, not invalid. */
  readonly requiresOwnerFields: boolean;
  /** Since 1.37 the operation of managed fields is required and one of a set. */
  readonly requiresManagedFieldsOperation: boolean;
}

/** The rules of the simulated release. Compared with upstream from 1.34 on; earlier releases are given the words of 1.34. */
export function validationRules(features: Features): ValidationRules {
  const { volumeAttributesClass, readWriteOncePod, recoverVolumeExpansionFailure } = features;
  const minor = Number(features.release.split('.')[1]);
  return {
    volumeAttributesClass,
    readWriteOncePod,
    recoverVolumeExpansionFailure,
    revisedLabelWords: minor >= 35,
    formatsEmptyDriverName: minor < 35,
    requiresOwnerFields: minor >= 37,
    requiresManagedFieldsOperation: minor >= 37,
  };
}
