import type { Features } from '../../src/api/features.ts';
import type { SchedulerChoose } from '../../src/engine/scheduler/choice.ts';
import { SchedulerCache } from '../../src/engine/scheduler/scheduler-cache.ts';
import { clusterOfWorld } from '../../src/engine/simulate.ts';
import { takeTurns } from '../../src/engine/turns.ts';
import { start, stateOf } from './controller-answer.ts';
import { decode, type Request } from './protocol.ts';
import { clusterOfObjects, podResult } from './schedule-answer.ts';

/** Mode "cluster": controller and scheduler in turns; the request says which of the feasible nodes is taken. */
export function answerCluster(request: Request, features: Features, choose?: SchedulerChoose): object {
  const objects = decode(request.objects ?? []);
  const started = start(request, objects, features);
  started.run.settle();
  started.world.takeChanges();
  const cache = new SchedulerCache(clusterOfWorld(started.world, clusterOfObjects(objects, features)));
  const { decisions, scheduled } = takeTurns(started.world, started.run, cache, {
    ...(request.pods === undefined ? {} : { pods: request.pods }),
    ...(choose === undefined ? {} : { choose }),
    ignoreNominations: true,
    chooseNode: (_pod, feasible) => (request.node === 'last' ? feasible.at(-1) : feasible[0]) as string,
  });
  const named = request.pods ?? [];
  const keys = [
    ...named.filter((key) => decisions.has(key)),
    ...[...decisions.keys()].filter((key) => !named.includes(key)).sort(),
  ];
  return {
    ...stateOf(started),
    pods: keys.map((key) => podResult(decisions.get(key) as never)),
    ...(scheduled.length > 0 ? { scheduled } : {}),
  };
}
