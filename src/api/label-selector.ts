import type { Labels, LabelSelector, LabelSelectorRequirement } from './objects.ts';
export class SelectorError extends Error {}
export interface ParsedLabelSelector {
  readonly requirements: readonly LabelSelectorRequirement[];
  matches(labels: Labels | undefined): boolean;
  firstFailure(labels: Labels | undefined): LabelSelectorRequirement | undefined;
}
export function parseLabelSelector(selector: LabelSelector): ParsedLabelSelector {
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...(selector.matchExpressions ?? []),
  ];
  const holds = ({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels | undefined): boolean => {
    const value = labels?.[key];
    switch (operator) {
      case 'In': return value !== undefined && values.includes(value);
      case 'NotIn': return value === undefined || !values.includes(value);
      case 'Exists': return value !== undefined;
      default: return value === undefined;
    }
  };
  const firstFailure = (labels: Labels | undefined) => requirements.find((one) => !holds(one, labels));
  return { requirements, firstFailure, matches: (labels) => firstFailure(labels) === undefined };
}
