import type { CallVerbOptions } from '../adapters/call-command.ts'
import { callVerb } from '../adapters/call-verb.ts'
import type { Verb } from '../adapters/z-verb.ts'
import { endCheck, inconclusive } from '../finding.ts'

/** Has the target do something to its chain; where it does not, the check can't be decided. */
export async function callControlVerb(
  verb: Verb,
  name: string,
  options: CallVerbOptions,
): Promise<void> {
  const { outcome, reason, source } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') endCheck(inconclusive(reason, { verdictSource: source }))
}
