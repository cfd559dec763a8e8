import { AnnIsDefaultClass } from '../api/annotations.ts';
import type { ObjectReference, PersistentVolumeClaim } from '../api/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Edit, isOfBinding, recreatedSpec, type VolumeChange } from './edits.ts';

/** The commands that carry out an edit, to be pasted into a shell. */
export function commandsOf(edit: Edit, snapshot: Snapshot): readonly string[] {
  switch (edit.is) {
    case 'recreateClaim': {
      const claim = snapshot.get('PersistentVolumeClaim', edit.claim);
      return claim === undefined ? [] : recreateCommands(claim, edit);
    }
    case 'setClass':
      return [patch('pvc', edit.claim, { spec: { storageClassName: edit.class } })];
    case 'removeAnnotations':
      return [
        `kubectl annotate ${target('pvc', edit.claim)} ${edit.annotations.map((key) => `${quoteShell(key)}-`).join(' ')}`,
      ];
    case 'patchVolume':
      return volumeCommands(edit.volume, edit.change);
    case 'makeDefault':
      return [`kubectl annotate storageclass ${quoteShell(edit.class)} ${AnnIsDefaultClass}=true`];
    case 'uncordon':
      return [`kubectl uncordon ${quoteShell(edit.node)}`];
    case 'removeTaint':
      return [`kubectl taint nodes ${quoteShell(edit.node)} ${quoteShell(`${edit.key}:${edit.effect}-`)}`];
    case 'labelNode':
      return [`kubectl label nodes ${quoteShell(edit.node)} ${quoteShell(`${edit.key}=${edit.value}`)}`];
    case 'ignoreCapacity':
      return [patch('csidriver', edit.driver, { spec: { storageCapacity: false } })];
  }
}

/**
 * Deletes and creates again, if the live claim is still the one of the report: the input may be old, and the claim may have been
 * bound since.
 */
function recreateCommands(
  claim: PersistentVolumeClaim,
  edit: Extract<Edit, { is: 'recreateClaim' }>,
): readonly string[] {
  const where = target('pvc', edit.claim);
  const seen = `${claim.metadata.uid ?? ''} ${claim.status?.phase ?? ''}`;
  const check = `[ "$(kubectl get ${where} -o jsonpath='{.metadata.uid} {.status.phase}')" = ${quoteShell(seen)} ]`;
  const annotations = Object.entries(claim.metadata.annotations ?? {}).filter(([key]) => !isOfBinding(key));
  const { name, namespace, labels } = claim.metadata;
  const manifest = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    },
    spec: recreatedSpec(claim, edit.spec),
  };
  return [`${check} && kubectl delete ${where} && kubectl create -f - <<'EOF'\n${JSON.stringify(manifest)}\nEOF`];
}

function volumeCommands(
  volume: string,
  { capacity, accessModes, storageClassName, labels, claimRef }: VolumeChange,
): readonly string[] {
  const spec = {
    ...(capacity === undefined ? {} : { capacity: { storage: capacity } }),
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(storageClassName === undefined ? {} : { storageClassName }),
    ...(claimRef === undefined ? {} : { claimRef: claimRef === null ? null : wholeReference(claimRef) }),
  };
  const labelText = Object.entries(labels ?? {}).map(([key, value]) => quoteShell(`${key}=${value}`));
  return [
    ...(Object.keys(spec).length === 0 ? [] : [patch('pv', volume, { spec })]),
    ...(labelText.length === 0 ? [] : [`kubectl label pv ${quoteShell(volume)} ${labelText.join(' ')} --overwrite`]),
  ];
}

/** A merge patch keeps what it does not name: what an old reference had besides must be named to go. */
const wholeReference = ({ namespace, name, uid }: ObjectReference): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace,
  name,
  uid: uid ?? null,
  resourceVersion: null,
});

function patch(resource: string, key: string, change: object): string {
  return `kubectl patch ${target(resource, key)} --type merge -p ${quoteShell(JSON.stringify(change))}`;
}

function target(resource: string, key: string): string {
  const at = key.indexOf('/');
  if (at < 0) return `${resource} ${quoteShell(key)}`;
  return `${resource} ${quoteShell(key.slice(at + 1))} -n ${quoteShell(key.slice(0, at))}`;
}

/** A word that a POSIX shell takes as it is. */
export const quoteShell = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
