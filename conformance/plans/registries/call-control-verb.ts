import { endCheck, inconclusive } from '../../kit/finding.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-command.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { Verb } from '../../targets/adapters/z-verb.ts'

/** Has the target do something to its chain; where it does not, the check can't be decided. */
export async function callControlVerb(
  verb: Verb,
  name: string,
  options: CallVerbOptions,
): Promise<void> {
  const { outcome, reason, source } = await callVerb(verb, name, {}, options)
  if (outcome !== 'done') endCheck(inconclusive(reason, { verdictSource: source }))
}
