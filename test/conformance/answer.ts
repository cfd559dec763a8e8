import { createInterface } from 'node:readline';
import { type Features, featuresFor, newestRelease } from '../../src/api/features.ts';
import { answerCluster } from './cluster-answer.ts';
import { answerController } from './controller-answer.ts';
import type { Request } from './protocol.ts';
import { answerSchedule } from './schedule-answer.ts';
import { answerValidate } from './validate-answer.ts';

type Answer = (request: Request, features: Features) => object | readonly object[];

const modes: Record<string, { field: string; answer: Answer }> = {
  controller: { field: 'controller', answer: answerController },
  schedule: { field: 'pods', answer: answerSchedule },
  cluster: { field: 'cluster', answer: answerCluster },
  validate: { field: 'objects', answer: answerValidate },
};

/** Answers one request as the oracle does; what cannot be answered is told in `error`. */
export function answer(request: Request, version: string): object {
  const head = { ...(request.id === undefined ? {} : { id: request.id }), kubernetes: version };
  const mode = modes[request.mode || 'cluster'];
  if (mode === undefined) return { ...head, error: `unknown mode ${JSON.stringify(request.mode)}` };
  try {
    return { ...head, [mode.field]: mode.answer(request, featuresFor(version)) };
  } catch (error) {
    return { ...head, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads requests, one a line, and writes answers in the same order. */
export async function serve(args: readonly string[]): Promise<void> {
  const at = args.indexOf('--kubernetes-version');
  const version = at < 0 ? newestRelease : (args[at + 1] ?? newestRelease);
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    let request: Request;
    try {
      request = JSON.parse(line);
    } catch (error) {
      process.stdout.write(`${JSON.stringify({ kubernetes: version, error: (error as Error).message })}\n`);
      continue;
    }
    if (!process.stdout.write(`${JSON.stringify(answer(request, version))}\n`)) {
      await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
  }
}
