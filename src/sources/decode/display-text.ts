/** Takes everything that the analysis can use; specification dump-formats 7. */
export const captureCommand =
  'kubectl get pv,pvc,sc,node,pod,event,sts,quota,limits,csinode,csidriver,volumeattachment -A -o yaml > cluster.yaml';

/** What to say about output that was made for people; specification dump-formats 6. */
export const displayTextRefusal =
  'this is display text, and matching needs every field: run the command again with -o yaml';
export const helmRefusal = 'this is an unrendered Helm chart: run "helm template CHART" and pipe the result';

/** Why the text that begins with this line cannot be used, if it is known to be made for people. */
export function displayTextReason(firstLine: string): string | undefined {
  if (isTableHeader(firstLine) || isDescription(firstLine) || isName(firstLine)) return displayTextRefusal;
  return undefined;
}

/** The titles of `kubectl get`: "NAME   CAPACITY   ACCESS MODES". */
function isTableHeader(line: string): boolean {
  return /^(?:NAMESPACE|NAME|LAST SEEN)(?: {2,}[A-Z][A-Z0-9 ():%-]*)*\s*$/.test(line);
}

/** The beginning of `kubectl describe`: "Name:         films". */
function isDescription(line: string): boolean {
  return /^Name: {2,}\S/.test(line);
}

/** The output of `kubectl get -o name`: "persistentvolumeclaim/films". */
function isName(line: string): boolean {
  return /^[a-z]+(?:\.[a-z0-9.-]+)?\/[a-z0-9][a-z0-9.-]*\s*$/.test(line);
}
