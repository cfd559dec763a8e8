import { featuresFor } from '../../../src/api/features.ts';
import { type FieldError, textOfFieldError } from '../../../src/engine/admission/field.ts';
import { validationRules } from '../../../src/engine/admission/validation-rules.ts';

export const features = featuresFor('1.37');
export const rules = validationRules(features);
export const rulesOf = (version: string) => validationRules(featuresFor(version));

export const texts = (errors: readonly FieldError[]): readonly string[] => errors.map(textOfFieldError);

/** The words on names that most rows need. */
export const notSubdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const notLabel =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
export const notKeyName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
export const notLabelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** A claim of a media library as somebody would write it. */
export const claimManifest = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'films', namespace: 'media', ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '500Gi' } }, ...spec },
});

/** A volume on a file server, unless the spec says otherwise. */
export const volumeManifest = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'archive-01', ...metadata },
  spec: {
    capacity: { storage: '500Gi' },
    accessModes: ['ReadWriteOnce'],
    ...('nfs' in spec ? {} : { nfs: { server: '192.0.2.1', path: '/archive' } }),
    ...spec,
  },
});

/** A volume whose only source is the given one. */
export const volumeWith = (source: object, spec: object = {}) => volumeManifest({ nfs: undefined, ...source, ...spec });

export const classManifest = (fields: object = {}, metadata: object = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'archive', ...metadata },
  provisioner: 'csi.example.com',
  ...fields,
});
