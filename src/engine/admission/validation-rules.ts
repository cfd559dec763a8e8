import type { Features } from '../../api/features.ts';

/** Where releases differ in what they refuse, and in the words. */
export interface ValidationRules {
  /** Gate VolumeAttributesClass: the field is validated at all. */
  readonly volumeAttributesClass: boolean;
  /** Since 1.35 a malformed key is no longer called a qualified name. */
  readonly namesLabelKeys: boolean;
  /** Up to 1.34 an empty CSI driver name is also refused for its format. */
  readonly formatsEmptyDriverName: boolean;
  /** Since 1.37 owner references are told apart by their index, and their empty fields are required, not invalid. */
  readonly requiresOwnerFields: boolean;
  /** Since 1.37 the operation of managed fields is required and one of a set. */
  readonly requiresManagedFieldsOperation: boolean;
}
