import type { KubernetesObject } from '../../src/api/objects.ts';
import { type Answer, type Asked, page, refusal } from './fake-api-server.ts';

/** What a fake cluster holds and who may see it. Keys are paths, such as "/api/v1/pods". */
export interface FakeCluster {
  /** Objects by the path of their list; lists of namespaces and single objects follow from them. */
  readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>;
  /** Paths that may not be asked. */
  readonly forbidden?: readonly (string | RegExp)[];
  /** Paths that the server does not know. */
  readonly unknown?: readonly string[];
}

/** Answers lists and single objects as an API server does. */
export function answerFor({ objects, forbidden = [], unknown = [] }: FakeCluster): (asked: Asked) => Answer {
  return ({ path }) => {
    if (path === '/version') return { body: { gitVersion: 'v1.33.1' } };
    const isForbidden = forbidden.some((one) => (typeof one === 'string' ? one === path : one.test(path)));
    if (isForbidden) return refusal(403, 'Forbidden', `${path} is forbidden`);
    if (unknown.includes(path)) return { status: 404, body: '404 page not found' };
    const match = /^(\/apis?\/(?:[a-z0-9.]+\/)?v\w+)(?:\/namespaces\/([^/]+)(?=\/))?\/([a-z]+)(?:\/([^/]+))?$/.exec(
      path,
    );
    const [, root, namespace, resource, name] = match ?? [];
    const all = objects[`${root}/${resource}`] ?? [];
    const here = all.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
    if (name === undefined) return page(here.map(({ kind: _, apiVersion: __, ...item }) => item));
    const found = here.find(({ metadata }) => metadata.name === name);
    return found === undefined ? refusal(404, 'NotFound', `${resource} "${name}" not found`) : { body: found };
  };
}
