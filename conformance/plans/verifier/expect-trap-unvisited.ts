import { type Finding, wronglyAccepted } from '../../kit/finding.ts'
import type { CredentialChange } from '../../world/defects/defect.ts'
import type { TrustWorldAddresses } from '../../world/open-trust-world.ts'
import type { Trap, VerifierContext } from './context.ts'
import { expectRefused } from './expect-verdict.ts'

/**
 * Presents credentials that name an address where nobody has a reason to go: none may be accepted,
 * and nobody may come there.
 */
export async function expectTrapUnvisited(
  context: VerifierContext,
  changesFor: (
    trap: Trap,
    addresses: TrustWorldAddresses,
  ) => readonly (readonly [what: string, change: CredentialChange])[],
): Promise<Finding> {
  const trap = await context.startTrap()
  const cases = changesFor(trap, context.trust.addresses).map(([what, change]) => ({
    what,
    defect: { name: 'foreign-address', description: what, change: () => change },
  }))
  const finding = await expectRefused(context, cases)
  if (trap.visits.length === 0) return finding
  return wronglyAccepted(
    `The verifier went to the address of the credential: ${trap.visits.join(', ')}.`,
    {
      verdictSource: 'a server that nobody has a reason to visit',
      expected: 'no request',
      actual: trap.visits,
    },
  )
}
