/** What the codes have to say about what happens to objects around a claim, and about rules that stop a write. */
export interface LifecycleArgs {
  // A claim that is not there.
  QuotaExceeded: { claim: string; quota?: string; message: string };
  LimitRangeForbids: { claim: string; limitRange?: string; message: string };
  ClaimCreationFails: { owner: string; message: string };

  // A pod that is not there.
  ConsumerNotCreated: { workload: string; message?: string };
  ConsumerScaledDown: { workload: string; replicas: number };
  DeploymentWaitsForClaim: { tool: 'Helm' | 'Argo CD'; mark: string };

  // The claim and its surroundings.
  NamespaceTerminating: { namespace: string };
  HeldByClones: { claims: readonly string[] };
  StaleTemplateClaim: {
    statefulSet: string;
    differences: readonly { readonly field: string; readonly claim: string; readonly template: string }[];
  };

  // A binding that was begun.
  OtherVolumeReserved: { named: string; reserved: string };
  BindUnfinished: { volume: string };
  BindRefused: { volume?: string; limitRange: string; message: string };

  // A bound claim that changes.
  ResizeUnfinished: { request: string; capacity: string; state: string; message?: string };
  AttributesClassChange: { from?: string; to: string; state: string };
}
