import type { VerificationFailure } from '#core/errors/verification-failure.ts'
import { maskSecrets } from '#core/json/mask-secrets.ts'
import { currentRequest, type RequestContext } from '#kit/request-context.ts'
import type { RuleVerdict } from '#kit/traces.ts'

/** A rule that was evaluated; its statement is left out where it has none. */
interface EvaluatedRule {
  readonly rule: string
  readonly statement?: string
  readonly path?: string
  readonly passed: boolean
  readonly notes?: readonly string[]
}

export interface Evaluation {
  readonly checked: readonly EvaluatedRule[]
  readonly failures: readonly VerificationFailure[]
}

// Beside the context, not in it: what a request sets off must not carry what was judged before.
const evaluations = new WeakMap<RequestContext, Evaluation>()

/**
 * Puts the rules that were evaluated on the current request, and how they ended, onto its hop, for
 * reports. Costs nothing but a reference until somebody reads the hop.
 */
export function recordVerdicts(evaluation: Evaluation): void {
  const context = currentRequest()
  if (context !== undefined) evaluations.set(context, evaluation)
}

/** Describes what was judged on a request, secrets masked; undefined where nothing was. */
export function describeVerdicts(
  context: RequestContext | undefined,
): (() => readonly RuleVerdict[]) | undefined {
  const evaluation = context && evaluations.get(context)
  return evaluation && (() => maskSecrets(verdictsOf(evaluation)) as RuleVerdict[])
}

function verdictsOf({ checked, failures }: Evaluation): RuleVerdict[] {
  return checked.map(({ rule, statement, path, passed, notes = [] }) => {
    // A rule that is evaluated on several inputs names the one; its failures stand at or below it.
    const own = failures.filter((each) => each.rule === rule && each.path.startsWith(path ?? ''))
    return {
      rule,
      passed,
      ...(statement === undefined ? {} : { statement }),
      ...(path ? { path } : {}),
      ...(passed ? {} : { reasons: own.map(({ reason }) => reason) }),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    }
  })
}
