export { type Features, featuresFor, newestRelease, testedReleases } from './api/features.ts';
export { type Diagnosis, diagnose, Examination } from './diagnosis/diagnose.ts';
export { type Simulation, type SimulationOptions, simulate } from './engine/simulate.ts';
export { type ClaimReport, type ClaimReportList, claimReportList } from './report/claim-report.ts';
export { buildSnapshot } from './snapshot/build.ts';
export type { Snapshot } from './snapshot/snapshot.ts';
export { asStored } from './snapshot/stored.ts';
export { loadFiles } from './sources/files.ts';
