import { defineChecks, findEach } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { readEmployeeOffer } from '../mailed-offers.ts'
import { readOwnOffer } from '../portal-steps.ts'
import { kindsOf, reachAnswer, readOffer, redeemCode } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

/** An issuer may give the offers in emails a longer lifetime. */
const monthSeconds = 31 * 86_400

export const checks = defineChecks<IssuerContext>({
  'I14-code-reused': {
    title: 'A code works only once',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 4.1.1', 'RFC 6749, 5.2'],
    description:
      'Otherwise an attacker who reads the QR code over the holder’s shoulder can also redeem it, unnoticed.',
    sends: 'The same token request twice; if the target supports it, also for an offer with a PIN.',
    decides: 'The first returns a token; the second returns 4xx with invalid_grant.',
    fix: 'Mark pre-authorized_code as used when you issue its access token. Reject later token requests with 400 invalid_grant.',
    async run(context) {
      return findEach(kindsOf(context, ['plain', 'pin']), async (kind) => {
        const offer = await readOffer(context, { kind })
        await reachAnswer('the first token request', redeemCode(context, offer))
        return findWalletRefusal(await redeemCode(context, offer), {
          what: `The second token request with the same code (${kind})`,
          errors: ['invalid_grant'],
        })
      })
    },
  },
  'I15-code-expired': {
    title: 'A code expires',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.states-and-transitions.5', '1.limits.1'],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description: 'A QR code on a screenshot or in a mailbox must be worthless days later.',
    sends:
      'A token request one second after the lifetime of codes has passed since the offer was read; if the target supports it, also for an offer that was read by reference, one with a PIN and one of a representative. For an offer in an email to an employee, a token request a month later.',
    decides:
      'The token endpoint returns 4xx, in OpenID4VCI with invalid_grant; a new offer works at the same time.',
    fix: 'Check the age of the offer at the token endpoint, and return 400 invalid_grant if pre-authorized_code has expired. offerLifetimeSeconds in the target file must be the lifetime that you use.',
    needs: ['clock'],
    async run(context) {
      const lifetime = context.offerLifetimeSeconds
      const offers = [
        ...kindsOf(context, ['plain', 'reference', 'pin']).map((kind) => ({
          what: kind as string,
          lifetime,
          read: () => readOffer(context, { kind }),
        })),
        ...(context.can('portal')
          ? [{ what: 'representative', lifetime, read: () => readOwnOffer(context) }]
          : []),
        // Emails may have another lifetime.
        ...(context.can('mailbox')
          ? [
              {
                what: 'employee',
                lifetime: Math.max(lifetime, monthSeconds),
                read: () => readEmployeeOffer(context),
              },
            ]
          : []),
      ]
      return findEach(offers, async ({ what, read, lifetime }) => {
        const offer = await read()
        const seconds = lifetime + 1
        await context.advanceClock(seconds)
        return findWalletRefusal(await redeemCode(context, offer), {
          what: `The token request ${seconds} seconds after the offer (${what}) was read`,
          errors: ['invalid_grant'],
        })
      })
    },
  },
})
