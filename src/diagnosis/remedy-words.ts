import type { Code } from './codes.ts';
import type { Edit, VolumeChange } from './edits.ts';
import type { Remedy } from './remedies.ts';
import type { Verdict } from './verdict.ts';
import { list, quote, size } from './words.ts';

// How remedies are told.

/** What to do, in one or two sentences. */
export function remedyTitle({ edit, addresses, dataSafety }: Remedy): string {
  const told = sentence(edit, addresses.some(asksForMore) ? 'least' : 'most');
  switch (dataSafety) {
    case 'recreates-claim':
      return `${told} It holds no data yet.`;
    case 'exposes-old-data':
      return `${told} The data of its former claim comes with it; nobody else is let in.`;
    default:
      return told;
  }
}

/** Causes that a larger request takes away. */
const asksForMore = (code: Code): boolean => code === 'SnapshotTooLarge' || code === 'CloneSourceTooLarge';

function sentence(edit: Edit, bound: 'least' | 'most'): string {
  switch (edit.is) {
    case 'recreateClaim': {
      const changes = Object.entries(edit.spec).map(([field, value]) => specChange(field, value, bound));
      return changes.length === 0 ? 'Recreate the claim without volumeName.' : `Recreate the claim ${list(changes)}.`;
    }
    case 'setClass':
      return `Set storageClassName: ${edit.class} on the claim (allowed once, while it has none).`;
    case 'removeAnnotations':
      return `Remove ${list(edit.annotations)} from the claim.`;
    case 'patchVolume':
      return volumeSentence(edit.volume, edit.change);
    case 'makeDefault':
      return `Mark class ${quote(edit.class)} as default: claims without a class then get it by themselves.`;
    case 'uncordon':
      return `Uncordon node ${edit.node}.`;
    case 'removeTaint':
      return `Take the taint ${edit.key}:${edit.effect} off node ${edit.node}, or let the pod tolerate it.`;
    case 'labelNode':
      return `Label node ${edit.node} with ${edit.key}=${edit.value || '""'}.`;
    case 'ignoreCapacity':
      return `Let the scheduler ignore capacity: storageCapacity: false on CSIDriver ${edit.driver}.`;
  }
}

function specChange(field: string, value: unknown, bound: 'least' | 'most'): string {
  if (field === 'request') return `asking for at ${bound} ${size(String(value))}`;
  if (value === null) return `without ${field}`;
  if (Array.isArray(value)) return `with ${field}: ${value.join(', ')}`;
  return `with ${field}: ${value === '' ? '""' : value}`;
}

function volumeSentence(
  volume: string,
  { capacity, accessModes, storageClassName, labels, claimRef }: VolumeChange,
): string {
  const parts = [
    ...(capacity === undefined ? [] : [`raise it to ${capacity}, if the storage behind it has that`]),
    ...(accessModes === undefined ? [] : [`let it offer ${list(accessModes)}, if its storage can do that`]),
    ...(storageClassName === undefined
      ? []
      : [storageClassName === '' ? 'remove its class' : `set its class to ${storageClassName}`]),
    ...(labels === undefined
      ? []
      : [
          `label it ${Object.entries(labels)
            .map(([key, value]) => `${key}=${value}`)
            .join(', ')}`,
        ]),
    ...(claimRef === undefined || claimRef === null ? [] : ['reserve it for this claim (claimRef)']),
  ];
  return `Volume ${volume}: ${list(parts)}.`;
}

/** What happened when it was tried. */
export function remedyEffect({ verdict, others }: Remedy): string {
  const changed = others.map(({ claim, after }) => `${claim} then: ${outcomeText(after)}`);
  return `Tried: ${outcomeText(verdict)}; ${changed.length === 0 ? 'nothing else changes' : list(changed, 3)}.`;
}

function outcomeText({ outcome, volumes, provisioner }: Verdict): string {
  switch (outcome) {
    case 'WillBind':
      return `binds ${volumes[0]}`;
    case 'MayBind':
      return `binds ${volumes.length > 4 ? `one of ${volumes.length} volumes` : volumes.join(' or ')}`;
    case 'WillBeProvisioned':
      return `${provisioner} makes a volume`;
    case 'WaitsForProvisioner':
      return `goes to ${provisioner}, whose move it then is`;
    case 'WaitsForConsumer':
      return 'waits for a pod, as is normal';
    case 'Bound':
      return 'its pod can be scheduled';
    default:
      return outcome;
  }
}
