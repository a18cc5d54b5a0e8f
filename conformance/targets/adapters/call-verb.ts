import { type CallVerbOptions, callCommand } from './call-command.ts'
import { callHttp } from './call-http.ts'
import type { PlaceholderValues } from './fill-placeholders.ts'
import type { VerbAnswer } from './verb-answer.ts'
import type { Verb } from './z-verb.ts'

/**
 * Has the system under test do one thing, by command or by HTTP call, and tells what came of it; it
 * never rejects for what the system does. What was sent and received becomes evidence, without the
 * secrets of the target. `name` is the verb's name for people: `accept-offer`.
 */
export function callVerb(
  verb: Verb,
  name: string,
  values: PlaceholderValues,
  options: CallVerbOptions,
): Promise<VerbAnswer> {
  if (typeof verb === 'string') return callCommand({ command: verb }, name, values, options)
  return 'command' in verb
    ? callCommand(verb, name, values, options)
    : callHttp(verb, name, values, options)
}
