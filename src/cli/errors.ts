/** The user asked for something that cannot be: told in one line, exit code 2. */
export class UsageError extends Error {}

/** What takes a dump that tells enough of most claims. */
export const dumpCommand = 'kubectl get pv,pvc,sc,node,pod,event -A -o yaml';
