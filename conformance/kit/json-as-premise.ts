import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { asPremise } from './as-premise.ts'
import { requireJson } from './classify-answer.ts'

/**
 * The JSON object of an answer that a check rests on without being about it: where it is another
 * answer or none, nothing is decided. `what` names the answer, and `premise` what it is for.
 */
export const jsonAsPremise = (
  what: string,
  answering: Promise<HttpAnswer>,
  premise: string = what,
): Promise<Record<string, unknown>> =>
  asPremise(
    premise,
    answering.then((answer) => requireJson(answer, what)),
  )
