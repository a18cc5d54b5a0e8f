import type { PlanName } from '../../kit/check.ts'
import { trustAuthority } from '../../kit/open-target-plan.ts'
import type { WalletTarget } from '../../plans/wallet/z-target.ts'
import { checkIdp } from './check-idp.ts'
import { checkIssuer } from './check-issuer.ts'
import { checkDidRegistry, checkTir } from './check-registries.ts'
import { checkRelyingParty } from './check-relying-party.ts'
import { checkVerifier } from './check-verifier.ts'
import { checkKitAddress, checkVerbs, type PreflightProblem } from './probe.ts'

async function checkWallet(
  { adapter, kit }: WalletTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const verbs = adapter.type === 'http' ? { adapter } : { ...adapter }
  const member = adapter.type === 'http' ? '' : 'adapter.'
  return [...checkKitAddress(kit), ...(await checkVerbs(verbs, member, signal))]
}

type CheckTarget = (target: never, signal: AbortSignal) => Promise<readonly PreflightProblem[]>

const checksByPlan: Readonly<Record<PlanName, CheckTarget>> = {
  wallet: checkWallet,
  verifier: checkVerifier,
  issuer: checkIssuer,
  idp: checkIdp,
  'relying-party': checkRelyingParty,
  'did-registry': checkDidRegistry,
  tir: checkTir,
}

/**
 * Connects to the system of a valid target and compares what it says with the target, before the
 * first check. Empty if nothing is wrong. A target whose `start` command runs the system is not
 * reachable yet and is not checked. It may start
 * sessions, and changes nothing else.
 */
export async function preflight(
  plan: PlanName,
  target: unknown,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const { start } = Object(target) as { start?: unknown }
  if (start !== undefined) return []
  const distrust = trustAuthority(target)
  try {
    return await checksByPlan[plan](target as never, signal)
  } finally {
    distrust()
  }
}
