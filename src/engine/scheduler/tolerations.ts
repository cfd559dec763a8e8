import type { Taint, Toleration } from '../../api/objects.ts';

/**
 * Whether one of the tolerations covers the taint. Lt and Gt belong to a gate that is off in every release so far, so that they
 * cover nothing.
 */
// kubernetes/api core/v1/toleration.go, ToleratesTaint (1.37); specification scheduler-and-provisioning 3.4
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => {
    if (toleration.effect && toleration.effect !== taint.effect) return false;
    if (toleration.key && toleration.key !== taint.key) return false;
    switch (toleration.operator ?? '') {
      case '':
      case 'Equal':
        return (toleration.value ?? '') === (taint.value ?? '');
      case 'Exists':
        return true;
      default:
        return false;
    }
  });
}
