import { describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';

// Volumes and pods of real situations as they are told from their own side.

const inputOf = (scenario: string): string => new URL(`../scenarios/${scenario}/input.yaml`, import.meta.url).pathname;

describe('the other sides of a claim', () => {
  it.each([
    {
      name: 'a Released volume whose claim was created again',
      args: ['pv', 'nfs-pv'],
      scenario: '024-released-recreated-claim',
      text: `
nfs-pv  Released 39m  →  Released: it belongs to a former claim default/site-data; the one of that
       name now is another object.
Why    claimRef names default/site-data with uid b7fb5ccd-1b35-4f6e-8090-9dff4ec15573, and the claim
       that is there now has another: it was deleted and created again. A uid means one object, not
       a name. Its reclaim policy is Retain: its data stays, and so does its claimRef, until
       somebody removes it.

Volume 5Gi  ReadWriteOnce,ReadWriteMany  Filesystem  no class  reclaim policy Retain  claimRef
       default/site-data

CLAIM               REQUEST   MODES   CLASS    VERDICT   WHY
default/site-data   5Gi       RWO     <none>   Stuck     would fit if it were free

Free   Tried: default/site-data binds it; nothing else changes.
       1  Reserve it for default/site-data (claimRef): nobody else is let in. The data of its former
          claim comes with it.
kubectl patch pv nfs-pv --type merge -p '{"spec":{"claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"default","name":"site-data","uid":"410190db-d16f-4b5d-9630-c00f2f83daeb","resourceVersion":null}}}'
       2  Remove claimRef: whoever fits first gets it. The data of its former claim comes with it.
kubectl patch pv nfs-pv --type merge -p '{"spec":{"claimRef":null}}'

Code: ClaimRefUidMismatch. More: kubectl pvc-explain rules ClaimRefUidMismatch
`,
    },
    {
      name: 'a volume that waits for a claim of nearly the name',
      args: ['pv', 'data-nfs-server'],
      scenario: '082-claimref-name-off-by-prefix',
      text: `
data-nfs-server  Available 39m  →  Reserved: for storage/data-nfs-server-provisioner-0, which does
       not exist; nobody else gets it.
Why    claimRef names storage/data-nfs-server-provisioner-0: it waits for a claim of that namespace
       and name. There is storage/data-nfs-nfs-server-provisioner-0: perhaps that one was meant.

Volume 200Gi  ReadWriteOnce  Filesystem  no class  reclaim policy Retain  claimRef
       storage/data-nfs-server-provisioner-0

CLAIM                                       REQUEST   MODES   CLASS    VERDICT   WHY
storage/data-nfs-nfs-server-provisioner-0   200Gi     RWO     <none>   Stuck     would fit if it were free

Free   Tried: storage/data-nfs-nfs-server-provisioner-0 binds it; nothing else changes.
       1  Reserve it for storage/data-nfs-nfs-server-provisioner-0 (claimRef): nobody else is let
          in.
kubectl patch pv data-nfs-server --type merge -p '{"spec":{"claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"storage","name":"data-nfs-nfs-server-provisioner-0","uid":"2bf566f6-1db8-4753-824f-50cfd2fe5860","resourceVersion":null}}}'
       2  Remove claimRef: whoever fits first gets it.
kubectl patch pv data-nfs-server --type merge -p '{"spec":{"claimRef":null}}'

Code: ReservedForOtherClaim. More: kubectl pvc-explain rules ReservedForOtherClaim
`,
    },
    {
      name: 'a pod whose claims lie on different nodes',
      args: ['pod', 'pod1'],
      scenario: '034-partial-binding',
      text: `
default/pod1  Pending 17m  →  Unschedulable: it fits on none of 2 nodes.
Why    Claim default/pod1-wal could be served on node-2 (pv3), but pod default/pod1 also uses claim
       default/pod1-data, whose volume pv1 cannot be reached from there. Bindings are not taken
       back.

CLAIM       STATUS    VERDICT       WHY                    CODE
pod1-data   Bound     Bound         to volume pv1          <none>
pod1-wal    Pending   WaitsForPod   pv1 is not on node-2   ClaimsOnDifferentNodes

NODE     DECIDES         POD    VOLUMES FOR POD1-DATA                       VOLUMES FOR POD1-WAL
node-1   VolumeBinding   fits   pv1 can be reached                          none here
node-2   VolumeBinding   fits   pv1 cannot be reached (its node affinity)   pv3 fits
Scheduler's own words: 0/2 nodes are available: 1 node(s) didn't find available persistent volumes
       to bind, 1 node(s) didn't match PersistentVolume's node affinity. (what follows there is
       about preemption)

Fix    If default/pod1-data holds nothing of value, delete pod default/pod1 and claim
       default/pod1-data, so that both are placed together; or provide a volume where
       default/pod1-data is.

Events agree with the run, in the words of releases up to 1.32; 1.37 is simulated.
       FailedScheduling, 7 times, just now: "0/2 nodes are available: 1 node(s) had volume node
       affinity conflict, 1 node(s) didn't find available persistent volumes to bind."

Codes: ClaimsOnDifferentNodes PodFitsNowhere. More: kubectl pvc-explain rules ClaimsOnDifferentNodes
`,
    },
    {
      name: 'a pod that may go where it likes',
      args: ['pod', 'worker-0'],
      scenario: '014-wffc-size-not-global',
      text: `
default/worker-0  Pending 17m  →  WillBeScheduled: to one of 2 nodes: node-a and node-b (the scores
       that choose among them are not simulated).

CLAIM     STATUS    VERDICT   WHY                                           CODE
scratch   Pending   MayBind   local-10g or local-2g; Kubernetes picks any   WillBindThoughPending

NODE     DECIDES   POD    VOLUMES FOR SCRATCH
node-a   <none>    fits   local-10g fits
node-b   <none>    fits   local-2g fits
`,
    },
    {
      name: 'a pod whose immediate claim is stuck',
      args: ['pod', 'search-nodes-0'],
      scenario: '004-empty-class-no-pv',
      text: `
search/search-nodes-0  Pending 17m  →  Unschedulable: claim search/data-search-nodes-0 is not ready
       (Stuck): there is no volume, and its class "" excludes every class, and so every provisioner.
Why    storageClassName: "" is not the same as leaving it out: it asks for a volume without a class
       and switches provisioning off; the default class "standard" is never applied.

CLAIM                 STATUS    VERDICT   WHY                   CODE
data-search-nodes-0   Pending   Stuck     class "" makes none   EmptyClass

NODE       DECIDES         POD
worker-1   VolumeBinding   not looked at
Scheduler's own words: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.
       (what follows there is about preemption)

Fix    Recreate the claim without storageClassName (it then gets "standard"), or create a volume
       without a class.

Events agree with the run, in the words of releases up to 1.25; 1.37 is simulated.
       FailedScheduling, 7 times, just now: "0/1 nodes are available: 1 pod has unbound immediate
       PersistentVolumeClaims."

Codes: EmptyClass UnboundImmediateClaim. More: kubectl pvc-explain rules EmptyClass
`,
    },
    {
      name: 'a list of volumes',
      args: ['pv'],
      scenario: '062-recycle-failed-pv',
      text: `
VOLUME   CLASS    CAPACITY   MODES         PHASE       CLAIM              WHY
pv0001   <none>   100Gi      RWO,ROX,RWX   Failed      myproject/old-db   reclaim failed
pv0002   <none>   100Gi      RWO,ROX,RWX   Available   → myproject/db     the smallest that fits

Nothing is left: no volume stays free.
`,
    },
  ])('$name', async ({ args, scenario, text }) => {
    const { code, stdout, stderr } = await run([...args, '-f', inputOf(scenario)]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: text.slice(1), stderr: '' });
  });

  it('without titles a list of volumes is for a program: nothing stands below it', async () => {
    const { stdout } = await run(['pv', '--no-headers', '-f', inputOf('062-recycle-failed-pv')]);
    expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(2);
  });

  it('-o wide names the rule and the mode of each volume', async () => {
    const { stdout } = await run(['pv', '-o', 'wide', '-f', inputOf('062-recycle-failed-pv')]);
    expect(stdout).toMatch(/^pv0001 .* Filesystem +Recycle +Failed +VolumeFailed/m);
  });
});
