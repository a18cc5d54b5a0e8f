import { membersOf } from '#core/json/json-object.ts'
import type { Check, PlanName } from '../kit/check.ts'
import { missingNeed } from '../plans/wallet/open-wallet-plan.ts'

type ListedCheck = Pick<Check, 'id' | 'needs' | 'control' | 'observes'>

/** Whether a person operates the wallet in a check: in all that the target makes possible. */
function isOperated(value: Readonly<Record<string, unknown>>, { needs = [] }: ListedCheck) {
  const { kit, deferralPatienceSeconds: seconds } = value
  const capabilities = {
    isPerson: true,
    origin: String(membersOf(kit).publicUrl ?? ''),
    // A person is not asked to create a wallet with a key on another curve.
    curves: [],
    deferralPatienceSeconds: typeof seconds === 'number' ? seconds : undefined,
  }
  return needs.every((need) => missingNeed(need, capabilities) === undefined)
}

/** Whether a person looks at the verifier in a check: a person cannot poll. */
function isObserved(
  { poll }: Readonly<Record<string, unknown>>,
  { needs, control, observes }: ListedCheck,
) {
  const isPossible = poll !== undefined || !needs?.includes('poll')
  return isPossible && (control !== undefined || observes === true)
}

/**
 * Returns the ids of the checks for which a person must act with a target, which may be incomplete:
 * operate the wallet, or look at the verifier.
 */
export function listPersonChecks(
  plan: PlanName,
  target: unknown,
  checks: readonly ListedCheck[],
): readonly string[] {
  const value = membersOf(target)
  const isPersonWallet = plan === 'wallet' && membersOf(value.adapter).type === 'person'
  const isPersonVerifier = plan === 'verifier' && membersOf(value.verdict).person === true
  return checks
    .filter(
      (check) =>
        (isPersonWallet && isOperated(value, check)) ||
        (isPersonVerifier && isObserved(membersOf(value.verdict), check)),
    )
    .map(({ id }) => id)
}
