// The kinds of random clusters: how each is generated and in which mode it is asked.

export const profiles = {
  bind: { generator: 'generate.mjs', mode: 'controller', select: ['--profile', 'bind'] },
  wild: { generator: 'generate.mjs', mode: 'controller', select: ['--profile', 'wild'] },
  odd: { generator: 'generate.mjs', mode: 'controller', select: ['--profile', 'odd'] },
  schedule: { generator: 'generate.mjs', mode: 'cluster', select: ['--profile', 'schedule'] },
  rich: { generator: 'generate-schedule-rich.mjs', mode: 'cluster', select: [] },
  validate: { generator: 'generate-validate.mjs', mode: 'validate', select: [] },
};

/** The command line of the generator: file and arguments. */
export function generatorOf(profile, seed, count) {
  const { generator, mode, select } = profiles[profile];
  const file = new URL(generator, import.meta.url).pathname;
  return [file, '--seed', seed, '--count', count, ...select, ...(mode === 'validate' ? [] : ['--mode', mode])];
}
