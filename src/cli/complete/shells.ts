/** The shells that there is a script for. PowerShell needs none for `kubectl pvc-explain`: kubectl's own asks us. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];
