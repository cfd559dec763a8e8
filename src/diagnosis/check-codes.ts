/** A field that a manifest would change although it may not change. */
export interface ChangedField {
  readonly field: string;
  /** "" for absent. */
  readonly before: string;
  readonly after: string;
}

/** What only manifests can get wrong. */
export interface CheckFindingArgs {
  // Reading.
  ManifestUnreadable: { reason: string };
  ManifestMalformed: { object: string; reason: string };
  DuplicateManifest: { object: string; other: string };

  // What the API server refuses.
  NotDecoded: { kind: string; message: string };
  InvalidObject: { kind: string; name: string; errors: readonly string[] };
  UnknownField: { kind: string; field: string; nearest?: string };
  ResourceVersionSet: { kind: string };
  NamespaceMissing: { namespace: string; nearest?: string };
  SeveralDefaultsRefused: { classes: readonly string[]; release: string };
  QuotaNotCounted: { quota: string; resources: readonly string[] };
  AdmissionWarning: { message: string };

  // What is there already.
  ImmutableFieldChanged: { kind: string; name: string; changes: readonly ChangedField[] };
  UpdateRefused: { kind: string; name: string; errors: readonly string[] };
  ExpansionRefused: { claim: string; before: string; after: string; reason: string };
  WaitingClaimLoses: { claims: readonly string[]; count: number };

  // The order of a rollout.
  ClaimWaitsForLaterPod: { claim: string; class: string; tool: string; stage: string; pod?: string; podStage?: string };
  PodWaitsForLaterClaim: { claim: string; tool: string; stage: string; pod: string; podStage: string };
}
